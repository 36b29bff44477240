"""What all tests share."""


def pytest_addoption(parser):
    parser.addoption("--bless", action="store_true", help="rewrite expected outputs from what is printed now")
