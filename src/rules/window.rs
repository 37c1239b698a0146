//! Windows: how far apart in time two attempts may be and still be the same operation.

/// All bounds are inclusive; spans are nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    /// The first attempt and all within this span of it; the next one outside opens a new group.
    FromFirst(i64),
    /// Each at most `gap` after the one before, all within `span` of the first.
    Gap { gap: i64, span: i64 },
    /// Local dates at most this many days after that of the first.
    Days(u32),
    /// A unique constraint: no bound.
    Unlimited,
}
