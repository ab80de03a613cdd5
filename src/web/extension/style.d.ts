/** The build puts the text of a style sheet in place of its import. */
declare module '*.css' {
  const text: string;
  // eslint-disable-next-line no-restricted-exports -- what a style sheet has instead of names
  export default text;
}
