// The mark, apart from its component so that a test can read it without a page.

/** The same as in icons/logo.svg; a test compares them. */
export const LOGO_PATH = "M24 58V42a12 12 0 0 1 12-12h56a12 12 0 0 1 12 12v16zM53 66h22v22l-22 14z";
