//! Findings, packed.

use super::{Pack, Packed, pack_choice, pack_members};
use crate::domain::decision::{Decision, Judgement, Standing};
use crate::domain::finding::{Cause, Evidence, Exposure, Finding, FindingRecord, KeyRelation, Role, Severity, Verdict};

pack_choice!(Verdict {
    KeyConflict,
    IdempotentRepeat,
    Compensated,
    LegitimateRepeat,
    DuplicateEffect,
    PossibleDuplicate,
    InconsistentReplay,
    SafeReplay,
    BlockedRepeat,
    RetriedFailure,
});
pack_choice!(Severity { Info, Low, Medium, High, Critical });
pack_choice!(KeyRelation { Same, Changed, Partly, None, Expired });
pack_choice!(Role { Original, Repeat, Retry, Replay, Reversal, Proof });
pack_choice!(Judgement { FalseAlarm, Intended, Accepted, BeingHandled });
pack_choice!(Standing { Live, Expired, Grown });

pack_members!(Cause { code, why });
pack_members!(Evidence { code, bits, text });
pack_members!(Exposure { currency, gross, reversed, net });
pack_members!(FindingRecord { source, file, record, lines, time, outcome, effect_id, request_key, role, values, raw });
pack_members!(Decision { judgement, reason, by, until, standing });
pack_members!(Finding {
    id,
    rule,
    verdict,
    severity,
    key_relation,
    cause,
    likelihood,
    evidence,
    fingerprint,
    alike,
    first,
    last,
    extra_effects,
    possible_extra_effects,
    exposure,
    batch,
    incident,
    also,
    records,
    late_records,
    unread_records,
    decision,
});
