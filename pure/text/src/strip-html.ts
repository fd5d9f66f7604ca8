const OPENING = /<\/?[a-z]/gi

/** Removes `<b>`, `</p>`, `<img …>`: a `<` that a letter follows, up to the next `>`. Once, from the left. */
export function stripHtml(source: string): string {
  let kept = ''
  let from = 0
  OPENING.lastIndex = 0
  for (let found = OPENING.exec(source); found !== null; found = OPENING.exec(source)) {
    const end = source.indexOf('>', found.index)
    if (end === -1) break
    kept += source.slice(from, found.index)
    from = end + 1
    OPENING.lastIndex = from
  }
  return kept + source.slice(from)
}
