"""Reports: what a `Measurement` says, as text for people and as JSON for programs (docs/report-format.md).

To add a report:

1. Write a file here with a `Report`: its name and title, a function that builds the table of the text form (usually
   `distribution` of counts that `Characteristics` has) and one that returns its part of the JSON form.
2. Put it into `REPORTS` below; the order is that of the text.
3. If it needs something that nobody counts yet, add a table to `Characteristics` in `ease/results.py` and fill it in
   `ease/measuring.py`; it then adds over programs by itself.
4. Document its JSON keys in docs/report-format.md (a test compares), and bless the golden text of the tests.

Every table has a total that its rows sum to exactly; tests check this for all that is in `REPORTS`.
"""

from ease.reports.addressing_modes import ADDRESSING_MODES
from ease.reports.attributed import ATTRIBUTION
from ease.reports.between_branches import BETWEEN_BRANCHES
from ease.reports.block_sizes import BLOCKS
from ease.reports.branches import BRANCHES
from ease.reports.caches import CACHES
from ease.reports.condition_codes import CONDITION_CODES
from ease.reports.constants import CONSTANTS
from ease.reports.cycles import CYCLES
from ease.reports.cycles_functions import CYCLES_FUNCTIONS
from ease.reports.cycles_lines import CYCLES_LINES
from ease.reports.data_types import DATA_TYPES
from ease.reports.delay_slots import DELAY_SLOTS
from ease.reports.fetch_cost import FETCH_COST
from ease.reports.full_distances import FULL_DISTANCES
from ease.reports.functions import FUNCTIONS
from ease.reports.instruction_types import INSTRUCTION_TYPES
from ease.reports.lines import LINES
from ease.reports.miss_causes import MISS_CAUSES
from ease.reports.miss_functions import MISS_FUNCTIONS
from ease.reports.miss_lines import MISS_LINES
from ease.reports.miss_references import MISS_REFERENCES
from ease.reports.miss_sites import MISS_SITES
from ease.reports.misses_over_time import MISSES_OVER_TIME
from ease.reports.operand_fields import OPERAND_FIELDS
from ease.reports.over_time import OVER_TIME
from ease.reports.path_length import PATH_LENGTH
from ease.reports.path_size import PATH_SIZE
from ease.reports.predict_branches import PREDICT_BRANCHES
from ease.reports.predict_lines import PREDICT_LINES
from ease.reports.predictions import PREDICTIONS
from ease.reports.reference_causes import REFERENCE_CAUSES
from ease.reports.reference_modes import REFERENCE_MODES
from ease.reports.reference_sizes import REFERENCE_SIZES
from ease.reports.region_results import REGIONS
from ease.reports.register_windows import REGISTER_WINDOWS
from ease.reports.registers import REGISTERS
from ease.reports.samples import SAMPLES
from ease.reports.stack_distances import STACK_DISTANCES
from ease.reports.sweep_misses import SWEEP_MISSES
from ease.reports.sweep_ratios import SWEEP_RATIOS
from ease.reports.tool_results import TOOLS
from ease.reports.traffic import TRAFFIC
from ease.reports.wrong_path_results import WRONG_PATHS

REPORTS = {
    report.name: report
    for report in (
        SAMPLES,
        PATH_LENGTH,
        PATH_SIZE,
        INSTRUCTION_TYPES,
        ADDRESSING_MODES,
        REFERENCE_CAUSES,
        REFERENCE_SIZES,
        REFERENCE_MODES,
        REGISTERS,
        REGISTER_WINDOWS,
        CONDITION_CODES,
        BRANCHES,
        BETWEEN_BRANCHES,
        BLOCKS,
        DELAY_SLOTS,
        DATA_TYPES,
        OPERAND_FIELDS,
        CONSTANTS,
        FUNCTIONS,
        LINES,
        CACHES,
        FETCH_COST,
        TRAFFIC,
        MISS_CAUSES,
        MISS_REFERENCES,
        MISS_FUNCTIONS,
        MISS_LINES,
        MISS_SITES,
        MISSES_OVER_TIME,
        OVER_TIME,
        SWEEP_MISSES,
        SWEEP_RATIOS,
        STACK_DISTANCES,
        FULL_DISTANCES,
        PREDICTIONS,
        PREDICT_BRANCHES,
        PREDICT_LINES,
        WRONG_PATHS,
        CYCLES,
        CYCLES_FUNCTIONS,
        CYCLES_LINES,
        TOOLS,
        REGIONS,
        ATTRIBUTION,
    )
}
