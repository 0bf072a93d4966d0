"""The frame of family mode: one lies on the stack, from the first deal to the end of the game."""

from dawn_env.state import BONUS, COUNTRY_NAMED, FLAGS, LEFT, PC, REGION, SOURCE, VALUE

# What the columns of the frame hold, apart from kind, step and side.
CARD = SOURCE  # the strategy card that is being placed, 0: none
FROM, INTO = REGION, PC  # spaces of the shift or take-over in progress
MOVED = VALUE  # support points that take part in it
ATTACK, DEFENCE = BONUS, FLAGS  # sums of a take-over
FACE = LEFT  # the attacker's power struggle card, counted from 1; 0: none
UNUSED = COUNTRY_NAMED  # -1

# Steps.
(
    DEAL_STEP, CARD_STEP, PLACE_STEP, ROUND_STEP, DESTINATION_STEP, POINTS_STEP, ATTACK_STEP, DEFENCE_STEP, SCORE_STEP,
) = range(9)  # fmt: skip
