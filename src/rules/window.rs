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

/// How far windows reach, against what the rules say: as far, or times a power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach(i8);

impl Reach {
    /// What the rules say.
    pub const CONFIGURED: Self = Self(0);

    /// From a quarter to sixteen times, ascending.
    pub const STEPS: [Self; 7] = [Self(-2), Self(-1), Self(0), Self(1), Self(2), Self(3), Self(4)];

    /// `1/4`, `1`, `16`
    pub fn name(self) -> String {
        let times = 1_u32 << self.0.unsigned_abs();
        if self.0 < 0 { format!("1/{times}") } else { times.to_string() }
    }

    /// The window that reaches so far. One of days loses what is no whole day; one without a bound has none.
    pub fn of(self, window: Window) -> Window {
        let times = 1_i64 << self.0.unsigned_abs();
        let scaled = |span: i64| if self.0 < 0 { span / times } else { span.saturating_mul(times) };
        match window {
            Window::FromFirst(span) => Window::FromFirst(scaled(span)),
            Window::Gap { gap, span } => Window::Gap { gap: scaled(gap), span: scaled(span) },
            Window::Days(days) => Window::Days(u32::try_from(scaled(days.into())).unwrap_or(u32::MAX)),
            Window::Unlimited => Window::Unlimited,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reach_shortens_and_lengthens_every_bound() {
        let told: Vec<String> = Reach::STEPS.into_iter().map(Reach::name).collect();
        assert_eq!(told, ["1/4", "1/2", "1", "2", "4", "8", "16"]);
        let [quarter, .., sixteenfold] = Reach::STEPS;
        assert_eq!(quarter.of(Window::FromFirst(600)), Window::FromFirst(150));
        assert_eq!(sixteenfold.of(Window::Gap { gap: 5, span: i64::MAX }), Window::Gap { gap: 80, span: i64::MAX });
        assert_eq!(quarter.of(Window::Days(3)), Window::Days(0));
        assert_eq!(sixteenfold.of(Window::Unlimited), Window::Unlimited);
        assert_eq!(Reach::CONFIGURED.of(Window::Days(3)), Window::Days(3));
    }
}
