//! Blocks: headings, lists, quotes, definitions, notes.

use super::check;

#[test]
fn headings() {
    check(
        "<h1>A</h1><h6>B</h6><h2></h2><h2>C <em>d</em> <a href=/x>e</a></h2>x",
        "# A\n\n###### B\n\n## C *d* [e](https://example.com/x)\n\nx",
    );
    check(
        "<div role=heading aria-level=3>A <b>b</b></div><p role=heading>B</p>",
        "### A **b**\n\n## B",
    );
    check(
        "<h2>A<br>B<div>C</div></h2><ul><li><h3>T</h3>text</ul>",
        "## A B C\n\n- ### T\n\n  text",
    );
}

#[test]
fn lists() {
    check(
        "<ul><li>a<ul><li>b<ul><li>c</ul></ul><li>d</ul>",
        "- a\n  - b\n    - c\n- d",
    );
    check(
        "<ol><li>a<ul><li>x</ul><li>b</ol><ul><li>a<ol><li>x<li>y</ol></ul>",
        "1. a\n   - x\n2. b\n\n- a\n  1. x\n  2. y",
    );
    check(
        "<ol start=9><li>a<li>b<p>c</p><li value=20>d</ol><ol reversed><li>a<li>b</ol>",
        "9. a\n10. b\n\n    c\n20. d\n\n2) a\n1) b",
    );
    check(
        "<ul><li>a</li><ul><li>b</li></ul><li>c</li></ul>",
        "- a\n  - b\n- c",
    );
    check(
        "<ul><li><p>a</p><p>b</p><li><p>c</p></ul><ul><li>other</ul><ol><li>1</ol><ol><li>1</ol>",
        "- a\n\n  b\n- c\n\n* other\n\n1. 1\n\n1) 1",
    );
    check(
        "<ul><li><div>alpha</div><li><div><div>beta</div></div><li><li> </ul>x",
        "- alpha\n- beta\n\nx",
    );
    check(
        "<ul><li><input type=checkbox checked> done<li><label><input type=checkbox>todo</label></ul>",
        "- [x] done\n- [ ] todo",
    );
    check(
        "<ul><li>a<ol start=3><li>x</ol>tail<li><ul><li>deep</ul></ul>",
        "- a\n\n  3. x\n\n  tail\n- - deep",
    );
    check(
        "<p>a</p><li>alone<li>two<p>b",
        "a\n\n- alone\n\n- two\n\n  b",
    );
    check(
        "<ol><li>a</li><p>stray</p><li>b</ol>",
        "1. a\n\nstray\n\n2. b",
    );
    check(
        "<ul><li><hr><li><blockquote>q</blockquote><li><table><tr><th>A<th>B<tr><td>1<td>2</table></ul>",
        "- ***\n- > q\n- | A | B |\n  | --- | --- |\n  | 1 | 2 |",
    );
}

#[test]
fn quotes_and_rules() {
    check(
        "<blockquote><p>a<p>b<blockquote>c</blockquote>d</blockquote>e<hr>f",
        "> a\n>\n> b\n>\n> > c\n>\n> d\n\ne\n\n---\n\nf",
    );
    check(
        "<blockquote>a<br>b</blockquote><blockquote>c<ul><li>d</ul></blockquote>",
        "> a  \n> b\n\n> c\n>\n> - d",
    );
    check(
        "<blockquote></blockquote>x<blockquote><blockquote>y</blockquote></blockquote>",
        "x\n\n> > y",
    );
}

#[test]
fn definitions() {
    check("<dl><dt>T</dt><dd>d</dd></dl>x", "**T**\n: d\n\nx");
    check(
        "<dl><dt>T1<dt>T2<dd>d1<dd>d2<p>more</p><dt><code>x</code><dd><ul><li>a<li>b</ul></dl>",
        "**T1**\n\n**T2**\n: d1\n\n: d2\n\n  more\n\n**`x`**\n: - a\n  - b",
    );
    check(
        "<dl><div><dt>T<dd>d</div><div><dt>U<dd>e</div></dl>",
        "**T**\n: d\n\n**U**\n: e",
    );
}

#[test]
fn notes() {
    check(
        "<p>t<sup id=r1><a href=#fn1>1</a></sup>.<ol><li id=fn1>note <a href=#r1>↩</a></ol>",
        "t[^1].\n\n[^1]: note",
    );
    check(
        "<p>x<sup class=reference id=cr1><a href=#cn1>[1]</a></sup><sup><a href=#cn2>[2]</a></sup> y<sup><a href=#cn1>[1]</a></sup><ol><li id=cn1><span class=mw-cite-backlink>^ <a href=#cr1>a</a></span> One <i>x</i><li id=cn2>Two<p>more</ol>",
        "x[^1][^2] y[^1]\n\n[^1]: One *x*\n\n[^2]: Two\n\n    more",
    );
    check(
        "<p>N<a href=#fn1 id=ref1 role=doc-noteref><sup>*</sup></a></p><aside><p id=fn1><a href=#ref1>*</a> Text</p></aside>",
        "N[^note-1]\n\n[^note-1]: Text",
    );
    check(
        "<p>T<a href=#fn:1 rel=footnote id=fnref:1>1</a></p><div><ol><li id=fn:1><p>Note <a href=#fnref:1>↩</a></p></ol></div>",
        "T[^1]\n\n[^1]: Note",
    );
    check(
        "<p>S<a href='https://example.com/docs/a/page.html#fn1' id=r><sup>1</sup></a></p><p id=fn1><sup><a href='https://example.com/docs/a/page.html#r'>1</a></sup> Foo",
        "S[^1]\n\n[^1]: Foo",
    );
    check(
        "<p>x <a href=#_ftn1 name=_ftnref1>[1]</a> <a href=#s>[12]</a><div id=s>S</div><p><a href=#_ftnref1 name=_ftn1>[1]</a> Note",
        "x [^1] [\\[12\\]](https://example.com/docs/a/page.html#s)\n\nS\n\n[^1]: Note",
    );
    check(
        "<p>N<sup id=ref1><a href=#fn1>1</a></sup><p id=fn1><sup><a href=#ref1>1</a></sup> note",
        "N[^1]\n\n[^1]: note",
    );
    check(
        "<p>N<sup><a href=#p1>1</a></sup><p>A paragraph with <a id=p1>a place</a> in it",
        "N<sup>[1](https://example.com/docs/a/page.html#p1)</sup>\n\nA paragraph with a place in it",
    );
    check(
        "<p>a<sup><a href=#gone>1</a></sup> <sup><a href=/x>2</a></sup>",
        "a<sup>[1](https://example.com/docs/a/page.html#gone)</sup> <sup>[2](https://example.com/x)</sup>",
    );
    check(
        "<p>a<sup>[<a href=#a>1</a>, <a href=#b>2</a>]</sup><p id=a>A<p id=b>B",
        "a[^1][^2]\n\n[^1]: A\n\n[^2]: B",
    );
}

#[test]
fn figures_and_details() {
    check(
        "<figure><img src=f.png alt=f><figcaption>Caption</figcaption></figure>",
        "![f](https://example.com/docs/a/f.png)\n\nCaption",
    );
    check(
        "<details><summary>Sum</summary><p>Body</p></details>x",
        "**Sum**\n\nBody\n\nx",
    );
}
