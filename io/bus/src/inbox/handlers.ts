import type { Tx } from '@sealpost/postgres'
import type { TellContract, TellHandler, ToldMessage } from '../contracts.ts'

/** Applies one tell; made by `takeTell`, so that bodies of all kinds fit in one table. */
export type Deliver = (tx: Tx, version: number, message: ToldMessage<string>) => Promise<void>
export type TellHandlers = Map<string, Deliver>

/** Why a tell cannot be applied; never quotes its body. */
export class TellRefusal extends Error {
  override readonly name = 'TellRefusal'
}

export function registerTell<Body>(
  handlers: TellHandlers,
  contract: TellContract<Body>,
  handle: TellHandler<Body>,
): void {
  if (handlers.has(contract.kind)) throw new Error(`two handlers for the tell ${contract.kind}`)
  handlers.set(contract.kind, (tx, version, message) =>
    handle(tx, { ...message, body: parseBody(contract, version, message.body) }),
  )
}

export function deliverTell(
  handlers: TellHandlers,
  kind: string,
  ...[tx, version, message]: Parameters<Deliver>
): Promise<void> {
  const deliver = handlers.get(kind)
  if (deliver === undefined)
    throw new TellRefusal(
      `no handler for the tell ${kind} here: does this region run an older release than the sender?`,
    )
  return deliver(tx, version, message)
}

function parseBody<Body>(contract: TellContract<Body>, version: number, body: string): Body {
  const parse =
    version === contract.version
      ? contract.parse
      : version === contract.version - 1
        ? contract.parsePrevious
        : undefined
  if (parse === undefined)
    throw new TellRefusal(
      `${contract.kind} arrived as version ${version}, this release knows ${contract.version}: deploy in order`,
    )
  try {
    return parse(JSON.parse(body))
  } catch {
    // The parser's message may quote the body.
    throw new TellRefusal(`the body of a ${contract.kind} version ${version} does not have the expected shape`)
  }
}
