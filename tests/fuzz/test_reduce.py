"""Programs are cut down to what makes them fail."""

from tests.fuzz.reduce import cut_down

PROGRAM = """int a;
int unused(void)
{
    return 1;
}
int main(void)
{
    int k;
    for (k = 0; k < 3; k++) {
        if (k) {
            a += k;
            a--;
        }
    }
    return 0;
}
"""


def test_what_makes_a_program_fail_is_left():
    assert cut_down(PROGRAM, lambda text: "a += k;" in text and "main" in text) == "int main(void)\n            a += k;\n"


def test_blocks_stay_whole():
    tried = []

    def fails(text):
        tried.append(text)
        return "int main(void)\n{" in text and "a--;" in text

    result = cut_down(PROGRAM, fails)
    assert result == "int main(void)\n{\na--;\n}\n".replace("a--", "            a--")
    assert all(text.count("{") == text.count("}") for text in tried)


def test_the_time_is_limited():
    assert cut_down(PROGRAM, lambda _: True, seconds=-1) == PROGRAM
