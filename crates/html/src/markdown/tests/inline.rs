//! What stands in a line: emphasis, links, images, formulas, and the text itself.

use super::check;

#[test]
fn emphasis() {
    check(
        "<p><b>a</b> <strong>b</strong> <i>c</i> <em>d</em> <del>e</del> <s>f</s> <u>g</u> <mark>h</mark>",
        "**a** **b** *c* *d* ~~e~~ ~~f~~ g h",
    );
    check("<p>x<b> sp </b>y<b></b> <b> </b>z", "x **sp** y z");
    check(
        "<p>un<em>frigging</em>believable foo<em> bar</em>baz",
        "un*frigging*believable foo *bar*baz",
    );
    check(
        "<p>foo<b>bar</b>baz <b><b>twice</b></b> <b><i>both</i></b> <i>a <b>b</b></i>",
        "foo**bar**baz **twice** ***both*** *a **b***",
    );
    check(
        "<p><b>a</b><b>b</b> <i>x</i><b>y</b>",
        "**ab** *x*<strong>y</strong>",
    );
    check(
        "<p><b>c:</b>d e<i>(f)</i>g <b>“好”</b>他",
        "<strong>c:</strong>d e<em>(f)</em>g <strong>“好”</strong>他",
    );
    check("<b><p>p1</p><p>p2</p></b>", "**p1**\n\n**p2**");
    check(
        "<p><b>a<br>b</b><b style='font-weight:normal'>c</b>",
        "**a  \nb**c",
    );
    check(
        "<p>H<sub>2</sub>O x<sup>2</sup> <sup></sup>",
        "H<sub>2</sub>O x<sup>2</sup>",
    );
}

#[test]
fn links_are_absolute() {
    check(
        "<p><a href='../up/x.html'>a</a> <a href='/r?q=1#f'>b</a> <a href='//cdn.org/x'>c</a> <a href='?q'>d</a> <a href='#f'>e</a>",
        "[a](https://example.com/docs/up/x.html) [b](https://example.com/r?q=1#f) [c](https://cdn.org/x) [d](https://example.com/docs/a/page.html?q) [e](https://example.com/docs/a/page.html#f)",
    );
    check(
        r#"<p><a href='https://x.org/p?a=1&amp;b=2' title='T "q"'>t</a> <a href='HTTP://X.org'>u</a> <a href=mailto:a@b.c>m</a>"#,
        r#"[t](https://x.org/p?a=1&b=2 "T \"q\"") [u](HTTP://X.org) [m](mailto:a@b.c)"#,
    );
    check(
        "<p><a href='https://x.org/a_(b)'>t</a> <a href=' https://x.org/a b '>u</a> <a href='x|y<z'>v</a> <a href='/a/../b'>w</a>",
        "[t](https://x.org/a_%28b%29) [u](https://x.org/a%20b) [v](https://example.com/docs/a/x%7Cy%3Cz) [w](https://example.com/b)",
    );
    check(
        "<head><base href='https://b.org/d/'></head><a href=x>t</a> <a href=#y>u</a>",
        "[t](https://b.org/d/x) [u](https://b.org/d/#y)",
    );
    check(
        "<p><a href='https://x.org/y'>https://x.org/y</a> <a href='https://x.org/' title=t>https://x.org/</a>",
        r#"<https://x.org/y> [https://x.org/](https://x.org/ "t")"#,
    );
}

#[test]
fn links_that_lead_nowhere_are_text() {
    check(
        "<p><a href='javascript:void(0)'>a</a> <a href=' JavaScript:x'>b</a> <a href='java&#10;script:x'>c</a> <a href='data:text/html,x'>d</a>",
        "a b c d",
    );
    check(
        "<p><a href=''>a</a> <a href='#'>b</a> <a>c</a> <a name=x>d</a> <a href='blob:x'>e</a>",
        "a b c d e",
    );
    check("<p>x<a href=/y></a>z<a href=/y> </a>w", "xz w");
    check(
        "<h2 id=x>Title<a class=headerlink href=#x title=Permalink>¶</a></h2><h3><a href=#y>Self</a></h3>",
        "## Title\n\n### Self",
    );
}

#[test]
fn links_around_blocks() {
    check(
        "<a href=/c><h3>Card</h3><p>text</p></a>",
        "### [Card](https://example.com/c)\n\ntext",
    );
    check(
        "<a href=/c><img src=i.png alt=i><h3>Card</h3></a>",
        "[![i](https://example.com/docs/a/i.png)](https://example.com/c)\n\n### [Card](https://example.com/c)",
    );
    check(
        "<a href=/c><pre>x</pre>y</a>",
        "```\nx\n```\n\n[y](https://example.com/c)",
    );
    check(
        "<p><a href=/c>a <b>b</b> [c] <code>d</code><br>e</a>",
        "[a **b** \\[c\\] `d`  \ne](https://example.com/c)",
    );
}

#[test]
fn images() {
    check(
        r#"<img src='i.png' alt='a [b] *c*' title='t"i'>"#,
        r#"![a \[b\] \*c\*](https://example.com/docs/a/i.png "t\"i")"#,
    );
    check(
        "<p>x<img src=/i.png>y<a href=/p><img src=t.png alt=th></a>",
        "x![](https://example.com/i.png)y[![th](https://example.com/docs/a/t.png)](https://example.com/p)",
    );
    check(
        "<img src='data:image/gif;base64,R0' data-src=real.jpg alt=a><img src='data:image/png;base64,AA' alt=in><img src='data:,' alt=''>",
        "![a](https://example.com/docs/a/real.jpg)![in]()",
    );
    check(
        "<img alt=s srcset='s.jpg 300w, l,a.jpg 900w, m.jpg 600w'><img src=/img/blank.gif data-srcset='x.jpg 2x'>",
        "![s](https://example.com/docs/a/l,a.jpg)![](https://example.com/docs/a/x.jpg)",
    );
    check(
        "<picture><source srcset='a.webp 1x, b.webp 2x'><img alt=p></picture>",
        "![p](https://example.com/docs/a/b.webp)",
    );
    check(
        "<img class=lazy src='data:x' alt=l><noscript><img src=real.jpg alt=l></noscript>",
        "![l](https://example.com/docs/a/real.jpg)",
    );
    check(
        "<img data-src=a.jpg><noscript><img src=a.jpg></noscript><noscript>Enable scripts</noscript>",
        "![](https://example.com/docs/a/a.jpg)",
    );
    check(
        "<img src=/t.gif width=1 height=1>x <img class=emoji src=e.png alt=😀>",
        "x 😀",
    );
}

#[test]
fn formulas_are_tex() {
    check(
        "<p>E <math><semantics><mrow><mi>E</mi></mrow><annotation encoding='application/x-tex'>E=m</annotation></semantics></math>",
        "E $E=m$",
    );
    check(
        r#"<span class=katex><span class=katex-mathml><math><semantics><mi>a</mi><annotation encoding='application/x-tex'>\frac{a}{b}</annotation></semantics></math></span><span class=katex-html aria-hidden=true>ab</span></span>"#,
        r#"$\frac{a}{b}$"#,
    );
    check(
        "<p>x<span class=katex-display><span class=katex><math><semantics><mi>a</mi><annotation encoding='application/x-tex'>a_1</annotation></semantics></math></span></span>y",
        "x\n\n$$a_1$$\n\ny",
    );
    check(
        "<span class=MathJax_Preview>x</span><span class=MathJax>x</span><script type='math/tex'>x_1</script> <script type='math/tex; mode=display'>y</script>",
        "$x_1$\n\n$$y$$",
    );
    check(
        r#"<span class=mwe-math-element><span style='display:none'><math alttext='{\displaystyle x^{2}}'><mi>x</mi></math></span><img src=m.svg class=mwe-math-fallback-image-inline alt='{\displaystyle x^{2}}'></span>"#,
        "$x^{2}$",
    );
    check(
        "<p>a <math display=block><mfrac><mi>a</mi><mn>2</mn></mfrac></math> b <math><msup><mi>x</mi><mn>2</mn></msup><mo>+</mo><msqrt><mi>sin</mi><mi>y</mi></msqrt></math>",
        "a\n\n$$\\frac{a}{2}$$\n\nb $x^{2}+\\sqrt{\\sin y}$",
    );
    check(
        r#"<p>inline \(a_b*c\) \[x_1\] $$a*b$$ \(x<img class=latex alt='\alpha' src=x.png>"#,
        r#"inline \(a_b*c\) \[x_1\] $$a*b$$ \\(x$\alpha$"#,
    );
}

#[test]
fn text_is_escaped_where_it_would_be_read_as_markup() {
    check(
        "<p>1. a</p><p>2024) b</p><p># c</p><p>- d</p><p>+ e</p><p>> f</p><p>--- g</p><p>===</p><p>* h</p><p>[x] i</p><p>~~~</p>",
        "1\\. a\n\n2024\\) b\n\n\\# c\n\n\\- d\n\n\\+ e\n\n\\> f\n\n\\--- g\n\n\\===\n\n\\* h\n\n\\[x] i\n\n\\~\\~\\~",
    );
    check(
        "<p>1.5 a</p><p>#a</p><p>-b</p><p>+1</p><p>a - b + c * d # e > f = g</p><p>$5 (x) {y} | z!",
        "1.5 a\n\n#a\n\n-b\n\n+1\n\na - b + c * d # e > f = g\n\n$5 (x) {y} | z!",
    );
    check(
        "<p>*star* _und_ __x__ snake_case_name 2*3*4 a_ _b",
        r#"\*star\* \_und\_ \_\_x\_\_ snake_case_name 2\*3\*4 a\_ \_b"#,
    );
    check(
        "<p>[br] [a](b) [a]<i>(b)</i> [^1] wow!<a href=/x>l</a> ![x] [a]: b",
        r#"[br] [a\](b) [a]*(b)* \[^1] wow\![l](https://example.com/x) ![x] [a\]: b"#,
    );
    check(
        "<p>a &lt;div&gt; &lt;3 &lt;!-- a &lt; b &lt;/x> &lt;a@b.c>",
        r#"a \<div> <3 \<!-- a < b \</x> \<a@b.c>"#,
    );
    check(
        "<p>&amp;copy; &amp;copy AT&amp;T &amp;#65; a & b",
        r#"\&copy; &copy AT&T \&#65; a & b"#,
    );
    check(
        r#"<p>~~x~~ ~5 a~b `t` c:\dir\ \* x\y"#,
        r#"\~\~x\~\~ ~5 a\~b \`t\` c:\dir\\ \\\* x\y"#,
    );
    check(
        "<p>x<br># y<br>- z<br>1. w",
        "x  \n\\# y  \n\\- z  \n1\\. w",
    );
    check(
        "<h2>C # and ##</h2><h2>C#</h2><h2>1. One</h2>",
        "## C # and \\##\n\n## C#\n\n## 1. One",
    );
}

#[test]
fn white_space_is_a_browsers() {
    check("<p>\n  foo\n  <span>bar</span>\n  baz\n</p>", "foo bar baz");
    check(
        "<p>foo<span>bar</span> <b> x </b> y<!-- c -->z</p>",
        "foobar **x** yz",
    );
    check(
        "a&nbsp;b &nbsp; c<p>&nbsp;</p><p>d\u{ad}e\u{200b}f</p>",
        "a\u{a0}b\u{a0}c\n\ndef",
    );
    check(
        "<div>one</div><div>two</div>three<span> four</span>",
        "one\n\ntwo\n\nthree four",
    );
    check("<p>a<br>b<br><br>c<br></p><br>d", "a  \nb\n\nc\n\nd");
    check("<p>a  <br>  b</p>", "a  \nb");
}

#[test]
fn small_things() {
    check(
        "<p><q>a <q>b</q></q> <abbr title='Hyper Text'>HT</abbr> <abbr title='Hyper Text'>HT</abbr>",
        "“a “b”” HT (Hyper Text) HT",
    );
    check(
        "<p>漢<ruby>字<rp>(</rp><rt>じ</rt><rp>)</rp></ruby>",
        "漢字(じ)",
    );
    check(
        "<p>a<svg><title>i</title><path d='M0 0'/></svg>b<script>x</script><style>y</style><template>z</template>",
        "ab",
    );
    check("<body style='visibility: hidden'><p>a", "a");
    check(
        "<p>a<span hidden>b</span><span style='DISPLAY : none'>c</span><i class=icon aria-hidden=true>menu</i>d<div aria-hidden=true>e</div><ul aria-hidden=true><li>f</ul>",
        "ad\n\ne\n\n- f",
    );
    check(
        "<button>A</button><button>B</button><label>N<input type=checkbox></label><select><option>1<option selected>2</select><textarea>t</textarea><input type=submit value=Go>",
        "A B N 2 t Go",
    );
    check(
        "<my-card><p>inside</p></my-card><x-y>inl</x-y>",
        "inside\n\ninl",
    );
    check(
        "<video src=v.mp4 controls></video><audio><source src=a.ogg>no</audio><iframe src='https://www.youtube.com/embed/abc' title='A film'></iframe>",
        "[Video](https://example.com/docs/a/v.mp4)\n\n[Audio](https://example.com/docs/a/a.ogg)\n\n[A film](https://www.youtube.com/embed/abc)",
    );
}
