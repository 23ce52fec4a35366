//! Code, in blocks and in lines.

use super::check;

#[test]
fn a_code_block_keeps_its_text() {
    check(
        "<pre><code class=\"language-rust\">fn main() {\n    let x = 1;\n}\n</code></pre>",
        "```rust\nfn main() {\n    let x = 1;\n}\n```",
    );
    check(
        "<pre>\n\n  line1\n\n  *no em* &lt;b> \\ `x`\n</pre>",
        "```\n  line1\n\n  *no em* <b> \\ `x`\n```",
    );
    check(
        "<pre>a<br>b<div>c</div><div>d</div>e</pre>",
        "```\na\nb\nc\nd\ne\n```",
    );
    check(
        "<pre><div>a</div><div>\n</div><div>b\n</div><div></div><div><div>c</div></div>\n<div>d</div><div hidden>e</div></pre>",
        "```\na\n\nb\n\nc\nd\n```",
    );
    check(
        "<pre><code>a ``` b</code></pre><pre>~~~</pre><pre></pre>",
        "````\na ``` b\n````\n\n```\n~~~\n```",
    );
    check(
        "<pre><code><span class=line>aa</span>\n<span class=line>bb</span></code></pre>",
        "```\naa\nbb\n```",
    );
    check(
        "<ul><li>x<pre>a\n\n  b</pre>y</ul><blockquote><pre>q</pre></blockquote>",
        "- x\n\n  ```\n  a\n\n    b\n  ```\n\n  y\n\n> ```\n> q\n> ```",
    );
}

#[test]
fn line_numbers_are_left_out() {
    check(
        "<div class=highlight><table><tr><td class=gutter><pre>1\n2</pre><td class=code><pre><b>a</b>\nb</pre></table></div>",
        "```\na\nb\n```",
    );
    check(
        "<figure class='highlight python'><table><tr><td class=gutter><pre><span>1</span><br></pre><td class=code><pre><span>x</span><br></pre></table></figure>",
        "```\nx\n```",
    );
    check(
        "<table class=js-file-line-container><tr><td class=blob-num data-line-number=1><td>def x<tr><td class=blob-num data-line-number=2><td>  y</table>",
        "```\ndef x\n  y\n```",
    );
    check(
        "<pre><code class=hljs><table class=hljs-ln><tr><td class=hljs-ln-numbers>1<td>a<tr><td class=hljs-ln-numbers>2<td>b</table></code></pre>",
        "```\na\nb\n```",
    );
    check(
        "<pre><span class=lineno>1 </span>x\n<span class=lineno>2 </span>y<button>Copy</button></pre>",
        "```\nx\ny\n```",
    );
}

#[test]
fn a_code_block_names_its_language() {
    check(
        "<div class='highlight highlight-source-python'><pre>x</pre></div>",
        "```python\nx\n```",
    );
    check(
        "<div class='highlight-python3 notranslate'><div class=highlight><pre>x</pre></div></div>",
        "```python3\nx\n```",
    );
    check(
        "<div class='language-ruby highlighter-rouge'><div class=highlight><pre class=highlight><code>x</code></pre></div></div>",
        "```ruby\nx\n```",
    );
    check(
        "<pre class='brush: js; toolbar: false'>x</pre><pre class=brush:php>y</pre>",
        "```js\nx\n```\n\n```php\ny\n```",
    );
    check(
        "<pre><code class='lang-c++ hljs'>x</code></pre><pre><code class='hljs go'>y</code></pre>",
        "```c++\nx\n```\n\n```go\ny\n```",
    );
    check(
        "<pre class='sourceCode haskell'>x</pre><pre lang=ruby>y</pre><pre lang=de>z</pre><pre data-lang=SQL>w</pre>",
        "```haskell\nx\n```\n\n```ruby\ny\n```\n\n```\nz\n```\n\n```sql\nw\n```",
    );
    check(
        "<div class='highlight highlight-text-html-basic'><pre>x</pre></div><div class='mw-highlight mw-highlight-lang-c'><pre>y</pre></div>",
        "```html\nx\n```\n\n```c\ny\n```",
    );
    check(
        "<pre data-syntaxhighlighter-params='brush: java; gutter: false'>x</pre>",
        "```java\nx\n```",
    );
    check(
        "<figure class='highlight yaml'><pre>x</pre></figure>",
        "```yaml\nx\n```",
    );
    check(
        "<pre><code class=language-text>x</code></pre><pre class='prettyprint lang-py'>y</pre>",
        "```\nx\n```\n\n```py\ny\n```",
    );
    check(
        "<div class='my code'><pre class=wp-block>x</pre></div>",
        "```\nx\n```",
    );
}

#[test]
fn code_in_a_line() {
    check(
        "<p>Use <code>a*b_c</code>, <tt>t</tt>, <samp>s</samp>, <kbd>Ctrl</kbd>+<kbd>C</kbd>",
        "Use `a*b_c`, `t`, `s`, `Ctrl`+`C`",
    );
    check(
        "<p><code>a`b</code> <code>`</code> <code>``x</code>",
        "``a`b`` `` ` `` ``` ``x ```",
    );
    check("<p>x<code> a  \n b </code>y<code></code>z", "x `a b` yz");
    check(
        "<p><code>a<a href=/u>T</a>b</code> <a href=/v><code>x</code></a> <b><code>y</code></b>",
        "`a`[`T`](https://example.com/u)`b` [`x`](https://example.com/v) **`y`**",
    );
    check(
        "<p><code>1</code><code>2</code><code><code>3</code> <b>4</b></code>",
        "`1` `2` `3 4`",
    );
}
