/** The flow key of a template's tag: form fields may be named `slug` or `{{slug}}`. */
export function templateTagKey(tag: string): string {
  const [, inside = tag] = /^\{\{(.*)\}\}$/s.exec(tag.trim()) ?? []
  return inside.trim().toLowerCase()
}
