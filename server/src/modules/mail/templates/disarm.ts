/** A name that is an address of the web would make others' mails out of ours: mail programs turn it into a link. */
export const disarm = (name: string): string =>
  name
    .replace(/[:/\\@<>]+/g, ' ')
    .replace(/([.\u2024\u3002\uff0e\uff61])(?=\S)/g, '$1 ')
    .slice(0, 80)
