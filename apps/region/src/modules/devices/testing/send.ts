import { createHash } from 'node:crypto'
import { bodyOf, type Person, sealTo, type Service } from '@sealpost/testkit'

/** Writes to a customer; answers the id of the message. */
export async function write(service: Service, to: Person, connectionId: string, text: string): Promise<string> {
  const body = { body: await sealTo(to.user.keys.publicKey, text) }
  const path = `/api/company-data/connections/${connectionId}/messages`
  return String((await bodyOf(service.data('POST', path, { body }), 201))['message_id'])
}

/** Sends a contract that the customer accepts; answers its id and the hash that the acceptance names. */
export async function offer(service: Service, to: Person, connectionId: string) {
  const value = await sealTo(to.user.keys.publicKey, '{"title":"Terms"}')
  const contract = { kind: 'agreement', name: 'Terms', payload_kind: 'json', requires_acceptance: true }
  const body = { ...contract, target: { connection_id: connectionId }, value }
  const { id } = await bodyOf(service.data('POST', '/api/company-data/documents', { body }), 201)
  return { id: String(id), contentSha256: createHash('sha256').update(value).digest('hex') }
}
