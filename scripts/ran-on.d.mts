/** One sentence: when, at which commit, on what machine, with which versions. */
export function ranOn(): string;
