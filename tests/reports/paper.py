"""Tables IV to VI of the paper (compact on the baseline machine), as a measurement."""

from __future__ import annotations

from ease.model.results import Characteristics, Count, Measurement
from ease.model.static_kinds import OperandField

TABLE_IV = {
    "DISP": (568_106, "4.28"), "IMMED": (2_715_704, "20.48"), "INDEX": (423_418, "3.19"), "LABEL": (818_555, "6.17"),
    "REGDFR": (776_319, "5.85"), "REGISTER": (7_959_571, "60.02"),
}  # fmt: skip
TABLE_V = {
    "ADD": (1_088_762, "17.57"), "AND": (314_040, "5.07"), "CALL": (28_009, "0.45"), "CMP": (735_542, "11.87"),
    "DIV": (5, "0.00"), "JMP": (93_071, "1.50"), "JEQ": (270_270, "4.36"), "JGE": (10_058, "0.16"),
    "JGT": (53_341, "0.86"), "JLE": (5_994, "0.10"), "JLT": (67_642, "1.09"), "JNE": (318_179, "5.14"),
    "LOAD": (1_226_515, "19.80"), "MOV": (174_836, "2.82"), "MUL": (3, "0.00"), "NOP": (199_300, "3.22"),
    "OR": (7_716, "0.12"), "RESTORE": (20_200, "0.33"), "RET": (28_004, "0.45"), "SAVE": (20_200, "0.33"),
    "SETHI": (246_193, "3.97"), "SLA": (504_748, "8.15"), "SRA": (51_808, "0.84"), "STORE": (513_319, "8.29"),
    "SUB": (208_788, "3.37"), "XOR": (8_760, "0.14"),
}  # fmt: skip
TABLE_VI = {
    ("LOAD", "DST", "REGISTER", "LONG"): (1_226_515, "100.00"),
    ("LOAD", "MEM", "DISP", "BYTE"): (6_481, "0.53"),
    ("LOAD", "MEM", "DISP", "WORD"): (34_071, "2.78"),
    ("LOAD", "MEM", "DISP", "LONG"): (364_105, "29.69"),
    ("LOAD", "MEM", "INDEX", "LONG"): (391_826, "31.95"),
    ("LOAD", "MEM", "REGDFR", "BYTE"): (10_054, "0.82"),
    ("LOAD", "MEM", "REGDFR", "WORD"): (52_144, "4.25"),
    ("LOAD", "MEM", "REGDFR", "LONG"): (367_834, "29.99"),
    ("STORE", "MEM", "DISP", "BYTE"): (1, "0.00"),
    ("STORE", "MEM", "DISP", "WORD"): (10_061, "1.96"),
    ("STORE", "MEM", "DISP", "LONG"): (125_378, "24.42"),
    ("STORE", "MEM", "INDEX", "LONG"): (31_592, "6.15"),
    ("STORE", "MEM", "REGDFR", "BYTE"): (6_478, "1.26"),
    ("STORE", "MEM", "REGDFR", "WORD"): (75_992, "14.80"),
    ("STORE", "MEM", "REGDFR", "LONG"): (263_817, "51.39"),
    ("STORE", "SRC", "REGISTER", "LONG"): (513_319, "100.00"),
}
BRANCHES = ("JEQ", "JGE", "JGT", "JLE", "JLT", "JNE")
# The operand model that the paper's totals imply: the fields of each instruction, and the mode of each where it is sure.
FIELDS = {
    **dict.fromkeys(("ADD", "AND", "OR", "XOR", "SLA", "SRA", "SUB", "MUL", "DIV"), ("DST", "SRC1", "SRC2")),
    "CMP": ("SRC1", "SRC2"), "MOV": ("DST", "SRC"), "SETHI": ("DST", "SRC"), "JMP": ("TARGET",),
    **dict.fromkeys(BRANCHES, ("TARGET",)), "CALL": ("LINK", "TARGET"), "SAVE": ("LIST",), "RESTORE": ("LIST",),
    "NOP": (), "RET": (),
}  # fmt: skip
MODES = {"TARGET": "LABEL", "SRC": "IMMED", "SRC2": "IMMED"}


def measurement() -> Measurement:
    """Build the measurement; second sources are immediates as long as Table IV has any."""
    types = {name: Count(1, count) for name, (count, _) in sorted(TABLE_V.items())}
    operands = {OperandField(*key): Count(1, count) for key, (count, _) in TABLE_VI.items()}
    immediates = TABLE_IV["IMMED"][0]
    for name, fields in FIELDS.items():
        for field in fields:
            left = TABLE_V[name][0]
            mode = "DISP" if name == "CALL" and field == "TARGET" else MODES.get(field, "REGISTER")
            if mode == "IMMED":
                part = min(left, immediates)
                immediates -= part
                left -= part
                operands[OperandField(name, field, mode, "LONG")] = Count(1, part)
                mode = "REGISTER"
            operands[OperandField(name, field, mode, "LONG")] = Count(1, left)
    total = Count(len(types), sum(count for count, _ in TABLE_V.values()))
    return Measurement("baseline", Characteristics(instructions=total, types=types, operands=operands))
