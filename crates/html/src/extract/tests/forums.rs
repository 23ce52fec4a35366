//! Threads as different programs make them: each post's author and time stay, what is around them goes.

use super::{check, sentence};
use crate::extract::PageType;

fn thread(head: &str, before: &str, post: impl Fn(usize) -> String) -> String {
    let posts: String = (1..6).map(post).collect();
    format!(
        "{head}<body><div class=navbar><a href=/>Board</a> <a href=/faq>FAQ</a></div>{before}{posts}
        <div class=footer>Powered by a program</div>"
    )
}

fn expect(title: &str, post: impl Fn(usize) -> String) -> String {
    format!("{title}\n{}", (1..6).map(post).collect::<String>())
}

#[test]
fn a_profile_in_a_list_beside_the_post() {
    let page = thread(
        "<meta name=generator content=phpBB>",
        "<h2 class=topic-title><a href=#>How do wheels turn?</a></h2><div class=action-bar><a>Post Reply</a></div>",
        |n| {
            format!(
                "<div id=p{n} class='post bg{}'><dl class=postprofile><dt><a class=username>Miller{n}</a></dt>
                <dd>Site Admin</dd><dd><strong>Posts:</strong> 123</dd><dd><strong>Joined:</strong> Mon Jan 01, 2018</dd></dl>
                <div class=postbody><h3><a>Re: How do wheels turn?</a></h3><p class=author>by <a class=username>Miller{n}</a> »
                <time datetime=2024-03-01>Mar 0{n}, 2024</time></p><div class=content>{}</div>
                <div class=signature>To mill or not to mill</div></div></div>",
                n % 2,
                sentence(n)
            )
        },
    );
    check(
        &page,
        PageType::Forum,
        &expect("How do wheels turn?", |n| {
            format!(
                "Miller{n}\nby Miller{n} » Mar 0{n}, 2024\n{}\n",
                sentence(n)
            )
        }),
    );
}

#[test]
fn a_question_with_answers_that_are_signed() {
    let post = |n: usize, class: &str, done: &str| {
        format!(
            "<div class={class}><div class=votecell><button>Up</button><div>{n}</div></div>
            <div class=post-text><p>{}</p></div><div class=post-menu><a>Share</a></div>
            <div class=post-signature><div class=user-info><div class=user-action-time>{done} May {n}, 2024 at 10:00</div>
            <div class=user-details><a>Miller{n}</a><div><span class=reputation-score>1,234</span></div></div></div></div></div>",
            sentence(n)
        )
    };
    let answers: String = (2..5).map(|n| post(n, "answer", "answered")).collect();
    let page = format!(
        "<body itemscope itemtype=https://schema.org/QAPage><h1><a href=#>How do wheels turn?</a></h1>{}{answers}",
        post(1, "question", "asked")
    );
    let mut expected = "How do wheels turn?\n".to_owned();
    for n in 1..5 {
        let done = if n == 1 { "asked" } else { "answered" };
        expected += &format!(
            "{}\n{done} May {n}, 2024 at 10:00\nMiller{n}\n",
            sentence(n)
        );
    }
    check(&page, PageType::Forum, &expected);
}

#[test]
fn comments_in_a_table_whose_heads_stand_outside() {
    let page = thread(
        "<link rel=canonical href='https://example.com/item?id=1'>",
        "<h1>How do wheels turn?</h1><table>",
        |n| {
            format!(
                "<tr class=row><td><div><span class=head><a class=by>miller{n}</a> <span>{n} hours ago</span></span></div>
                <div class=comment><div class=text>{}</div><div class=reply><a>reply</a></div></div></td></tr>",
                sentence(n)
            )
        },
    );
    check(
        &page,
        PageType::Forum,
        &expect("How do wheels turn?", |n| {
            format!("miller{n} {n} hours ago\n{}\n", sentence(n))
        }),
    );
}

#[test]
fn elements_of_the_site_s_own() {
    let page = thread(
        "<link rel=canonical href=https://example.com/r/mills/comments/1/wheels/>",
        "<x-post><h1>How do wheels turn?</h1></x-post>",
        |n| {
            format!(
                "<x-comment><div><a href=/u>miller{n}</a> <time>{n}mo ago</time></div><div><p>{}</p></div>
                <x-comment-actions><button>Reply</button><span>{n}</span></x-comment-actions></x-comment>",
                sentence(n)
            )
        },
    );
    check(
        &page,
        PageType::Forum,
        &expect("How do wheels turn?", |n| {
            format!("miller{n} {n}mo ago\n{}\n", sentence(n))
        }),
    );
}

#[test]
fn portraits_and_second_copies_of_names_go() {
    let page = thread(
        "<meta name=generator content=Invision>",
        "<h1>How do wheels turn?</h1>",
        |n| {
            format!(
                "<article class=comment><div class=only-small><a>Miller{n}</a> <time>March {n}, 2024</time></div>
                <aside class='author-pane author'><span class=avatar>M</span><h3><a>Miller{n}</a></h3><div>Level 5</div></aside>
                <div><time>March {n}, 2024</time><div class=body><p>{}</p><p>Yes.</p><p>Yes.</p></div></div></article>",
                sentence(n)
            )
        },
    );
    check(
        &page,
        PageType::Forum,
        &expect("How do wheels turn?", |n| {
            format!(
                "Miller{n} March {n}, 2024\nMiller{n}\nMarch {n}, 2024\n{}\nYes.\nYes.\n",
                sentence(n)
            )
        }),
    );
}
