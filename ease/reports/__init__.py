"""Reports: what a `Measurement` says, as text for people and as JSON for programs (docs/report-format.md).

To add a report:

1. Write a file in a folder here with a `Report`: its name and title, a function that builds the table of the text form
   (usually `distribution` of counts that `Characteristics` has) and one that returns its part of the JSON form.
2. Put it into `REPORTS` below; the order is that of the text.
3. If it needs something that nobody counts yet, add a table to `Characteristics` in `ease/model/results.py` and fill it in
   `ease/model/characterise.py`; it then adds over programs by itself.
4. Document its JSON keys in docs/report-format.md (a test compares), and bless the golden text of the tests.

Every table has a total that its rows sum to exactly; tests check this for all that is in `REPORTS`.
"""

from ease.reports.attributed import ATTRIBUTION
from ease.reports.instructions.addressing_modes import ADDRESSING_MODES
from ease.reports.instructions.between_branches import BETWEEN_BRANCHES
from ease.reports.instructions.block_sizes import BLOCKS
from ease.reports.instructions.branches import BRANCHES
from ease.reports.instructions.condition_codes import CONDITION_CODES
from ease.reports.instructions.constants import CONSTANTS
from ease.reports.instructions.cycles import CYCLES
from ease.reports.instructions.cycles_functions import CYCLES_FUNCTIONS
from ease.reports.instructions.cycles_lines import CYCLES_LINES
from ease.reports.instructions.data_types import DATA_TYPES
from ease.reports.instructions.delay_slots import DELAY_SLOTS
from ease.reports.instructions.functions import FUNCTIONS
from ease.reports.instructions.instruction_types import INSTRUCTION_TYPES
from ease.reports.instructions.lines import LINES
from ease.reports.instructions.operand_fields import OPERAND_FIELDS
from ease.reports.instructions.path_length import PATH_LENGTH
from ease.reports.instructions.path_size import PATH_SIZE
from ease.reports.instructions.predict_branches import PREDICT_BRANCHES
from ease.reports.instructions.predict_lines import PREDICT_LINES
from ease.reports.instructions.predictions import PREDICTIONS
from ease.reports.instructions.register_windows import REGISTER_WINDOWS
from ease.reports.instructions.registers import REGISTERS
from ease.reports.memory.caches import CACHES
from ease.reports.memory.fetch_cost import FETCH_COST
from ease.reports.memory.full_distances import FULL_DISTANCES
from ease.reports.memory.miss_causes import MISS_CAUSES
from ease.reports.memory.miss_functions import MISS_FUNCTIONS
from ease.reports.memory.miss_lines import MISS_LINES
from ease.reports.memory.miss_references import MISS_REFERENCES
from ease.reports.memory.miss_sites import MISS_SITES
from ease.reports.memory.misses_over_time import MISSES_OVER_TIME
from ease.reports.memory.reference_causes import REFERENCE_CAUSES
from ease.reports.memory.reference_modes import REFERENCE_MODES
from ease.reports.memory.reference_sizes import REFERENCE_SIZES
from ease.reports.memory.stack_distances import STACK_DISTANCES
from ease.reports.memory.sweep_misses import SWEEP_MISSES
from ease.reports.memory.sweep_ratios import SWEEP_RATIOS
from ease.reports.memory.traffic import TRAFFIC
from ease.reports.over_time import OVER_TIME
from ease.reports.region_results import REGIONS
from ease.reports.samples import SAMPLES
from ease.reports.tool_results import TOOLS
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
