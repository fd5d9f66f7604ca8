export interface Sender {
  readonly name: string
  readonly address: string
}

const NAMED = /^([^<>\r\n]*)<([^\s<>@]+@[^\s<>@]+)>$/
const PLAIN = /^[^\s<>@]+@[^\s<>@]+$/

export function parseSender(text: string): Sender {
  const trimmed = text.trim()
  if (PLAIN.test(trimmed)) return { name: '', address: trimmed }
  const [, name, address] = NAMED.exec(trimmed) ?? []
  if (name === undefined || address === undefined) throw new Error('it holds no address')
  return { name: name.trim().replaceAll('"', ''), address }
}
