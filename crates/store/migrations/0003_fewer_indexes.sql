-- An item is found by its place. Every index costs each step a page or two of the disk, and nothing
-- asked these.
DROP INDEX item_by_id;
DROP INDEX item_by_seq;
