import { refuse, type SentMessage } from '@sealpost/protocol'
import { lockConnection } from '../../../connections/index.ts'
import type { StoredMessage } from '../../model.ts'
import { type BodyRefusal, type GivenMessage, validateMessage } from '../../rules/sealed-body.ts'
import { copyToWire, sentToWire } from '../../wire.ts'
import type { ServiceSideContext } from '../context.ts'
import type { ThreadName } from '../model.ts'
import { insertMessage } from '../store/messages.ts'
import { addToThread, takeSeq } from '../store/threads.ts'

export async function sendMessage(
  { database, clock, ids, messages }: ServiceSideContext,
  thread: ThreadName,
  given: GivenMessage,
): Promise<SentMessage> {
  const validated = validateMessage(given)
  if (!validated.ok) throw refusalOf(validated.refusal)
  const { body, senderBody } = validated.value
  return database.transaction(async (tx) => {
    const connection = await lockConnection(tx, thread.serviceId, thread.connectionId)
    if (connection === null) throw refuse('messages.not_connected')
    const now = clock.now()
    const seq = await takeSeq(tx, thread, now)
    const message: StoredMessage = { id: ids.uuid(), sender: 'company', seq, body: senderBody, createdAt: now }
    await insertMessage(tx, thread, message)
    await addToThread(tx, thread, { messages: 1, unread: 0 })
    await messages.tellMessage(tx, connection, copyToWire(message, body))
    const sent = sentToWire(message)
    await tx.storeAnswer(sent)
    return sent
  })
}

export function refusalOf(refusal: BodyRefusal): Error {
  if (refusal.key !== 'request.invalid') return refuse(refusal.key)
  return refuse('request.invalid', { details: [refusal.problem] })
}
