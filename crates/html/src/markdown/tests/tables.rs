//! Tables, and what only looks like one.

use super::check;

#[test]
fn a_table_keeps_its_cells() {
    check(
        "<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>",
        "| A | B |\n| --- | --- |\n| 1 | 2 |",
    );
    check(
        "<table><tr><td>A<td>B<tr><td>1<td>2</table>",
        "| A | B |\n| --- | --- |\n| 1 | 2 |",
    );
    check(
        "<table><caption>Cap</caption><tr><th>A<tr><td>1</table>after",
        "Cap\n\n| A |\n| --- |\n| 1 |\n\nafter",
    );
    check(
        r#"<table><tr><th>A<th>B<tr><td>a|b<td><code>c|d</code> \</table>"#,
        "| A | B |\n| --- | --- |\n| a\\|b | `c\\|d` \\\\ |",
    );
    check(
        "<table><tr><th>A<th>B<tr><td><td>x</table>",
        "| A | B |\n| --- | --- |\n| | x |",
    );
    check("<table></table><table><tr><td></table>x", "x");
}

#[test]
fn a_cell_is_one_line() {
    check(
        "<table><tr><th>A<th>B<tr><td>l1<br>l2<br><td><p>p1</p><p>p2</p></table>",
        "| A | B |\n| --- | --- |\n| l1<br>l2 | p1<br>p2 |",
    );
    check(
        "<table><tr><th>A<th>B<tr><td><ul><li>x<li>y <b>z</b></ul><td><h3>T</h3>t</table>",
        "| A | B |\n| --- | --- |\n| - x<br>- y **z** | **T**<br>t |",
    );
    check(
        "<table><tr><th>A<th>B<tr><td><pre>x = 1\ny | 2</pre><td><blockquote>q</blockquote>r</table>",
        "| A | B |\n| --- | --- |\n| `x = 1`<br>`y \\| 2` | q<br>r |",
    );
    check(
        "<table><tr><th>A<th>B<tr><td><b>x<br>y</b><td>in<table><tr><td>1<td>2<tr><td>3</table></table>",
        "| A | B |\n| --- | --- |\n| **x<br>y** | in<br>1 2<br>3 |",
    );
}

#[test]
fn cells_that_span() {
    check(
        "<table><tr><th colspan=2>AB<th>C<tr><td>1<td>2<td>3<tr><td colspan=3>all</table>",
        "| AB | | C |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n| all | | |",
    );
    check(
        "<table><tr><th>A<th>B<tr><td rowspan=2>x<td>1<tr><td>2<tr><td>y<td>3</table>",
        "| A | B |\n| --- | --- |\n| x | 1 |\n| x | 2 |\n| y | 3 |",
    );
    check(
        "<table><tr><th>A<th>B<th>C<tr><td>1<td rowspan=2 colspan=2>big<tr><td>2</table>",
        "| A | B | C |\n| --- | --- | --- |\n| 1 | big | |\n| 2 | big | |",
    );
    check(
        "<table><tbody><tr><td rowspan=0>x<td>1<tr><td>2<tbody><tr><td>y<td>3</table>",
        "| x | 1 |\n| --- | --- |\n| x | 2 |\n| y | 3 |",
    );
    check(
        "<table><tr><th>A<th>B<th>C<tr><td>1<td>2<td rowspan=2>z<tr><td>3</table>",
        "| A | B | C |\n| --- | --- | --- |\n| 1 | 2 | z |\n| 3 | | z |",
    );
}

#[test]
fn columns_stand_as_they_are_told() {
    check(
        "<table><tr><th align=right>N<th style='text-align: center'>C<th>X<tr><td>1<td>2<td align=left>3</table>",
        "| N | C | X |\n| ---: | :---: | :--- |\n| 1 | 2 | 3 |",
    );
    check(
        "<table><col><col align=right><tr><th>A<th>B<tr><td>1<td>2</table>",
        "| A | B |\n| --- | ---: |\n| 1 | 2 |",
    );
}

#[test]
fn headers_of_rows_are_no_header() {
    check(
        "<table><tr><th>Born<td>1950<tr><th>Died<td>2000</table>",
        "| | |\n| --- | --- |\n| Born | 1950 |\n| Died | 2000 |",
    );
    check(
        "<table><tr><th>A<th>B<tr><th scope=row>r<td>v</table>",
        "| A | B |\n| --- | --- |\n| r | v |",
    );
}

#[test]
fn layouts_are_unfolded() {
    check(
        "<table><tr><td>out<table><tr><td>in1<td>in2</table><td>z</table>",
        "out\n\n| in1 | in2 |\n| --- | --- |\n\nz",
    );
    check(
        "<table><tr><td><h2>L</h2>text<td><p>side</table>",
        "## L\n\ntext\n\nside",
    );
    check("<table role=presentation><tr><td>a<td>b</table>", "a\n\nb");
    check("<table><tr><td>one</table>", "one");
    check("<table><tr><td>one<tr><td>two</table>", "one\n\ntwo");
}
