/** One block of a stream of server-sent events. A block without data only sets the position, or the time to wait. */
export interface ReceivedEvent {
  readonly id: string | undefined
  readonly event: string
  readonly data: string | undefined
  readonly retryMs: number | undefined
}

/** An event of ours has some hundred characters. A server must not fill the memory with one that never ends. */
const LONGEST_EVENT = 65_536

/** Parses a stream as it arrives; `push` answers the events that the text completes. */
export function createEventReader(): { push(text: string): readonly ReceivedEvent[] } {
  let rest = ''
  return {
    push(text) {
      const blocks = (rest + text).replaceAll('\r\n', '\n').split('\n\n')
      rest = blocks.pop() ?? ''
      if (rest.length > LONGEST_EVENT) throw new RangeError('an event of the stream is too long')
      return blocks.map(parseBlock).filter((event) => event !== null)
    },
  }
}

function parseBlock(block: string): ReceivedEvent | null {
  const members = new Map<string, string>()
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':')
    // A line that begins with a colon is a comment.
    if (colon > 0) members.set(line.slice(0, colon), line.slice(colon + 1).replace(/^ /, ''))
  }
  if (members.size === 0) return null
  const retry = members.get('retry') ?? ''
  return {
    id: members.get('id'),
    event: members.get('event') ?? 'message',
    data: members.get('data'),
    retryMs: /^[0-9]{1,7}$/.test(retry) ? Number(retry) : undefined,
  }
}
