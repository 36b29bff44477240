"""Sorted arrays, and searches in them."""

from __future__ import annotations

from tests.fuzz.people.scope import Writer, fill, piece
from tests.fuzz.people.shapes import register
from tests.fuzz.people.statements import lines
from tests.fuzz.people.values import Array


@piece(1)
def ordered(writer: Writer) -> None:
    """Write a sort of an array and a search in it."""
    sort, search, name = (writer.name(stem) for stem in ("sort", "search", "use_sorted"))
    scope = writer.scope(result=None)
    scope.read_only("n", 0, 8)
    scope.arrays.append(Array("a", writer.int_kind, 8, -1000, 1000, False))
    body = lines(scope.inner(8, loop=False), writer.number(0, 2))
    way = writer.chance.choice(
        (
            """for (int i = 1; i < n; i++) {
            int held = a[i], k = i;
            while (k > 0 && a[k - 1] > held) {
                a[k] = a[k - 1];
                k--;
            }
            a[k] = held;
            $body
        }""",
            """bool swapped = true;
        while (swapped) {
            swapped = false;
            for (int i = 0; i + 1 < n; i++)
                if (a[i] > a[i + 1]) {
                    int held = a[i];
                    a[i] = a[i + 1];
                    a[i + 1] = held;
                    swapped = true;
                }
        }
        $body""",
            """int low = 0, high = n - 1, middle;
        if (n < 2)
            return;
        middle = a[n / 2];
        do {
            while (a[low] < middle) low++;
            while (a[high] > middle) high--;
            if (low <= high) {
                int held = a[low];
                a[low++] = a[high];
                a[high--] = held;
            }
        } while (low <= high);
        $sort(a, high + 1);
        $sort(a + low, n - low);""",
        )
    )
    writer.tops.append(
        fill(
            f"""static void $sort(int *a, int n)
        {{
            {way}
        }}
        $how int $search(const int *a, int n, int wanted, int *at)
        {{
            int low = 0, high = n - 1, found = 0;
            *at = -1;
            while (low <= high) {{
                int middle = low + (high - low) / 2;
                if (a[middle] == wanted) {{
                    found = 1;
                    *at = middle;
                    break;
                }}
                if (a[middle] < wanted)
                    low = middle + 1;
                else
                    high = middle - 1;
            }}
            return found ? 1 : -low;
        }}
        $how int $name(int n, int wanted)
        {{
            int a[8] = {{$numbers}}, at, r;
            $sort(a, n);
            r = $search(a, n, wanted, &at);
            for (int i = 0; i < n; i++)
                checked = checked * 31 + (uint32_t)a[i];
            return r * 10 + at;
        }}""",
            sort=sort,
            how=writer.storage(),
            search=search,
            name=name,
            body=body,
            numbers=", ".join(str(writer.number(-20, 20)) for _ in range(8)),
        )
    )
    register(writer, name, ((0, 8), (-20, 20)), (-100, 20), 400)
