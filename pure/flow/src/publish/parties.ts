import { isKey } from '@sealpost/expression'
import type { PublishIssue } from '@sealpost/protocol'
import { pointer } from '../definition/pointer.ts'
import type { PublishContext } from './context.ts'
import { issue, quoted } from './issue.ts'

/** The states of a run are called `awaiting_<party>`, and `awaiting_signature` is another state. */
const TAKEN_PARTY_KEY = 'signature'

export function checkParties(context: PublishContext): readonly PublishIssue[] {
  return [...checkKeys(context), ...checkOwner(context), ...checkNodeParties(context)]
}

function checkKeys({ definition }: PublishContext): readonly PublishIssue[] {
  const keys = definition.parties.map((party) => party.key)
  return keys.flatMap((key, place) => {
    const path = pointer('/parties', place, 'key')
    if (!isKey(key) || key === TAKEN_PARTY_KEY) return [issue('party.key_invalid', path, quoted(key))]
    return keys.indexOf(key) < place ? [issue('party.key_invalid', path, `${quoted(key)} is used twice`)] : []
  })
}

function checkOwner({ definition: { parties } }: PublishContext): readonly PublishIssue[] {
  const owners = parties.filter((party) => party.type === 'owner')
  if (owners.length === 1 || parties.every((party) => party.type === undefined)) return []
  return [
    issue('party.owner_invalid', '/parties', owners.length === 0 ? 'there is none' : `there are ${owners.length}`),
  ]
}

function checkNodeParties({ definition, nodes }: PublishContext): readonly PublishIssue[] {
  const keys = new Set(definition.parties.map((party) => party.key))
  return nodes
    .filter(({ node }) => !keys.has(node.party))
    .map(({ node, path }) =>
      issue('party.key_invalid', pointer(path, 'party'), `the flow has no party ${quoted(node.party)}`),
    )
}
