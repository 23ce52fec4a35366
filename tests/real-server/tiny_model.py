"""Writes a tiny GGUF model with random weights: its words are noise, but llama.cpp runs it as any other.

    python tiny_model.py FILE TEXT...

The vocabulary has each byte, the letters, and what is frequent in the texts that are named, so that
every text can be read and written and a prompt has about as many tokens as it has for a real model;
the chat template is ChatML. The same file comes out each time.
"""

import collections
import pathlib
import re
import sys

import gguf
import numpy

CONTEXT = 32_768
MERGES = 800
WIDTH = 64
HEADS = 4
LAYERS = 2
HIDDEN = 128
TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n"
    "{{ message['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def frequent(texts: list[str]) -> list[str]:
    """The pairs that byte pair encoding would join in these texts, the most frequent first."""
    words = collections.Counter(re.findall(r"\u2581?[A-Za-z]+", " ".join(texts).replace(" ", "\u2581")))
    split = {word: list(word) for word in words}
    found = []
    for _ in range(MERGES):
        pairs: collections.Counter[tuple[str, str]] = collections.Counter()
        for word, parts in split.items():
            for pair in zip(parts, parts[1:]):
                pairs[pair] += words[word]
        if not pairs:
            break
        pair = max(pairs, key=lambda it: (pairs[it], it))
        found.append("".join(pair))
        for parts in split.values():
            at = 0
            while at < len(parts) - 1:
                if (parts[at], parts[at + 1]) == pair:
                    parts[at : at + 2] = ["".join(pair)]
                at += 1
    return list(dict.fromkeys(found))


def vocabulary(texts: list[str]) -> list[tuple[bytes, float, gguf.TokenType]]:
    kind = gguf.TokenType
    tokens = [
        (b"<unk>", 0.0, kind.UNKNOWN),
        (b"<s>", 0.0, kind.CONTROL),
        (b"<|im_end|>", 0.0, kind.CONTROL),
        (b"<|im_start|>", 0.0, kind.CONTROL),
    ]
    tokens += [(f"<0x{byte:02X}>".encode(), 0.0, kind.BYTE) for byte in range(256)]
    # SentencePiece writes a blank as U+2581.
    letters = [chr(code) for code in range(33, 127)] + ["\u2581", "é", "ü", "ß", "€", "日", "本", "😀"]
    # What comes first is joined first; letters are there from the beginning.
    for place, text in enumerate(frequent(texts) + letters):
        tokens.append((text.encode(), -float(place), kind.NORMAL))
    return tokens


def main(path: str, texts: list[str]) -> None:
    tokens = vocabulary([pathlib.Path(text).read_text(encoding="utf-8") for text in texts])
    random = numpy.random.default_rng(7)

    def weights(*shape: int) -> numpy.ndarray:
        return random.normal(0.0, 0.35, shape).astype(numpy.float32)

    ones = numpy.ones(WIDTH, dtype=numpy.float32)
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("tiny-noise")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(HIDDEN)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(len(tokens))
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)
    writer.add_tokenizer_model("llama")
    writer.add_token_list([token for token, _, _ in tokens])
    writer.add_token_scores([score for _, score, _ in tokens])
    writer.add_token_types([int(kind) for _, _, kind in tokens])
    writer.add_unk_token_id(0)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_add_bos_token(True)
    writer.add_chat_template(TEMPLATE)
    writer.add_tensor("token_embd.weight", weights(len(tokens), WIDTH))
    for layer in range(LAYERS):
        name = f"blk.{layer}."
        for part in ["attn_q", "attn_k", "attn_v", "attn_output"]:
            writer.add_tensor(f"{name}{part}.weight", weights(WIDTH, WIDTH))
        writer.add_tensor(f"{name}ffn_gate.weight", weights(HIDDEN, WIDTH))
        writer.add_tensor(f"{name}ffn_up.weight", weights(HIDDEN, WIDTH))
        writer.add_tensor(f"{name}ffn_down.weight", weights(WIDTH, HIDDEN))
        writer.add_tensor(f"{name}attn_norm.weight", ones)
        writer.add_tensor(f"{name}ffn_norm.weight", ones)
    writer.add_tensor("output_norm.weight", ones)
    # The end is as likely as any other token, so that an answer ends by itself after a while.
    writer.add_tensor("output.weight", weights(len(tokens), WIDTH))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


main(sys.argv[1], sys.argv[2:])
