/** A remark that stops nothing: static text, the data beside it, so that equal remarks can be counted and shown once. */

export interface Warning {
  /** Static sentence, no data in it. */
  message: string;
  /** The data, printed as `key=value` behind the message. */
  fields: Record<string, string>;
}
