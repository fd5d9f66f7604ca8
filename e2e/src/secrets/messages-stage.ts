import { waitUntil } from '@sealpost/testkit'
import type { Piece } from './search.ts'
import type { SharingSite } from './sharing-stage.ts'

const ARRIVAL_MS = 20_000

/** A message each way, each with a copy for its sender; both sides open the whole thread. Returns what they opened. */
export async function exchangeMessages(
  { service, key, person }: SharingSite,
  connectionId: string,
  { question, reply }: { readonly question: string; readonly reply: string },
): Promise<readonly Piece[]> {
  const ofPerson = () =>
    openAll('the person', person.messages.list(connectionId), (message) => person.messages.open(message))
  const ofService = () =>
    openAll('the service', service.messages.list(connectionId), (message) => service.messages.open(message, key))
  await service.messages.send(connectionId, question, key)
  await waitUntil('the message arrives', ARRIVAL_MS, async () => (await ofPerson()).length === 1)
  await person.messages.send(connectionId, reply)
  await waitUntil('the reply arrives', ARRIVAL_MS, async () => (await ofService()).length === 2)
  return [...(await ofPerson()), ...(await ofService())]
}

async function openAll<One>(
  whose: string,
  messages: AsyncIterable<One>,
  open: (message: One) => Promise<string | null>,
): Promise<readonly Piece[]> {
  const opened: Piece[] = []
  for await (const message of messages)
    opened.push({ place: `the thread of ${whose}`, content: Buffer.from((await open(message)) ?? '') })
  return opened
}
