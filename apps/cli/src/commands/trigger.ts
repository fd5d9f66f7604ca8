import { createPrivateKey, createPublicKey } from 'node:crypto'
import { formatInstant } from '@sealpost/kernel'
import { systemIds } from '@sealpost/process'
import type { ServiceEventKind } from '@sealpost/protocol'
import { PublicKey } from '@sealpost/sdk'
import type { Command, Context, Given } from '../command.ts'
import { wordsOf } from '../listen/forward.ts'
import { post } from '../local/post.ts'
import { openSigning, signingOptions } from '../local/secret.ts'
import { signEvent } from '../local/signing.ts'
import { parseTarget } from '../local/target.ts'
import { isSampleKind, type Sample, sampleKinds, sampleOf, sealedMemberOf } from '../samples.ts'
import { CliError, UsageError } from '../terminal.ts'
import { unknownEvent } from './webhook-settings.ts'

export const triggerCommand: Command = {
  words: ['trigger'],
  summary: 'Post a sample of an event to an address on this machine',
  json: 'document',
  about:
    'For testing a receiver: the event is made and signed on this machine, without a call to the platform.\n' +
    'Ids are the same each time, so a receiver that deduplicates by id ignores the second event; --fresh makes a new id.\n' +
    `Events: ${sampleKinds.join(', ')}.`,
  positionals: ['EVENT'],
  options: {
    to: {
      type: 'string',
      value: 'ADDRESS',
      about: 'An address on this machine, e.g. localhost:3000/hook; prints the body by default',
    },
    data: { type: 'string', value: 'JSON', about: 'Members that replace those of the sample, e.g. {"slug":"iban"}' },
    value: {
      type: 'string',
      value: 'TEXT',
      about: 'Seal this text to the key of key_file, if the event has a sealed value',
    },
    fresh: { type: 'boolean', about: 'Use a new id' },
    ...signingOptions,
  },
  async run(context, given) {
    const [kind = ''] = given.positionals
    if (!isSampleKind(kind)) throw new UsageError(unknownEvent(kind, sampleKinds))
    const to = given.text('to')
    const target = to === null ? null : parseTarget(to)
    const event = await buildEvent(context, given, kind)
    if (target === null) return context.terminal.print(JSON.stringify(event))
    await send(context, given, target, event)
  },
}

async function buildEvent(context: Context, { text, flag }: Given, kind: ServiceEventKind): Promise<Sample> {
  const value = text('value')
  const others = {
    ...(flag('fresh') ? { id: systemIds().uuid() } : {}),
    ...(value === null ? {} : await sealed(context, kind, value)),
    ...membersOf(text('data')),
  }
  const event = sampleOf(kind, formatInstant(context.terminal.clock.now()), others)
  if (event === null)
    throw new UsageError(`these members are not valid for ${kind}: see the events in the API reference`)
  return event
}

async function send(context: Context, given: Given, target: URL, event: Sample): Promise<void> {
  const { terminal, isJson } = context
  const signing = await openSigning(context, given)
  const startedAt = terminal.clock.now()
  const outcome = await post(target, await signEvent(signing, event), terminal.untilInterrupted())
  const durationMs = terminal.clock.now() - startedAt
  if (outcome.kind === 'down') throw new CliError(`${target.origin} cannot be reached (${outcome.reason})`)
  const status = outcome.kind === 'answered' ? outcome.httpStatus : null
  const shown = { event: event.event, id: event.id, http_status: status, duration_ms: durationMs }
  const line = `${event.event}  ${event.id}  ${wordsOf(outcome)}  ${durationMs} ms`
  terminal.print(isJson ? JSON.stringify(shown) : line)
  if (status !== 200) throw new CliError('the receiver did not answer 200')
}

/** Sealed to the key of the key file, with which the receiver also opens real values. */
async function sealed(context: Context, kind: ServiceEventKind, text: string): Promise<Record<string, string>> {
  const member = sealedMemberOf(kind)
  if (member === null) throw new UsageError(`${kind} has no sealed value, so --value cannot be used`)
  const spki = publicHalf(context.keyFile(), context.passphrase()).export({ type: 'spki', format: 'der' })
  const key = await PublicKey.import(spki.toString('base64'))
  return { [member]: await key.seal(text) }
}

function publicHalf(pem: string, passphrase: string): ReturnType<typeof createPublicKey> {
  try {
    return createPublicKey(createPrivateKey({ key: pem, passphrase }))
  } catch {
    throw new CliError('the passphrase does not open the key file, or the file contains no key')
  }
}

function membersOf(text: string | null): Record<string, unknown> {
  if (text === null) return {}
  try {
    const document: unknown = JSON.parse(text)
    if (typeof document === 'object' && document !== null && !Array.isArray(document)) return { ...document }
  } catch {
    // Reported below, like JSON that is not an object.
  }
  throw new UsageError('--data is a JSON object, such as {"slug":"iban"}')
}
