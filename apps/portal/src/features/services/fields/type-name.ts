/** The platform may know more types than this app has words for. */
export function typeName(words: Readonly<Record<string, string>>, type: string): string {
  return Object.hasOwn(words, type) ? (words[type] ?? type) : type.replaceAll('_', ' ')
}
