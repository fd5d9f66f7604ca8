/** What a tag of a template is called among the keys of the flow: form fields may be named `slug` or `{{slug}}`. */
export function templateTagKey(tag: string): string {
  const [, inside = tag] = /^\{\{(.*)\}\}$/s.exec(tag.trim()) ?? []
  return inside.trim().toLowerCase()
}
