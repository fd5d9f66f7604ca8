import { isDeepStrictEqual } from 'node:util'
import { type BadAct, MISSING, TOO_LONG } from './bad-turns.ts'
import { connectionOf, isOwner } from './cast.ts'
import type { Json, Outcome } from './doors/door.ts'
import { Mismatch } from './mismatch.ts'
import type { Play } from './play.ts'
import { sourceToWire } from './prepare-start.ts'
import { fingerprint } from './tag-values.ts'

const UNBOUND = 'flows.bindings_invalid'
const TAGS = 'flows.tag_values_invalid'
const SOURCES = 'flows.source_files_invalid'

/** A refusal whose body says more. */
export interface BadStart extends BadAct {
  /** Members of the refusal. */
  readonly body?: Json
}

/** All that can be wrong with the start of this run. */
export function badStarts(play: Play): readonly BadStart[] {
  const { door, lane, flowId, start } = play
  const begin =
    (trigger: Json, flow = flowId) =>
    () =>
      door.start(lane.service, flow, trigger)
  const versionChanged = { ...start.trigger, flow_version: 2 }
  return [
    { name: 'a start of no flow', key: 'flows.not_found', act: begin(start.trigger, MISSING) },
    { name: 'a start of a malformed id', key: 'flows.not_found', act: begin(start.trigger, 'no-id') },
    {
      name: "a start of another service's flow",
      key: 'flows.not_found',
      act: () => door.start(play.other.service, flowId, start.trigger),
    },
    {
      name: 'a start of a draft',
      key: 'flows.not_published',
      act: async () => door.start(lane.service, await door.draft(lane.service, play.flow), start.trigger),
    },
    { name: 'a start of another version', key: 'flows.version_changed', act: begin(versionChanged) },
    ...badBindings(play, begin),
    ...badTags(play, begin),
    ...badSources(play, begin),
    ...badStages(play),
  ]
}

type Begin = (trigger: Json) => () => Promise<Outcome>

function badBindings({ cast, flow, lane, other, start }: Play, begin: Begin): readonly BadStart[] {
  const { target: _target, targets: _targets, bindings: _bindings, ...rest } = start.trigger
  const [first, ...others] = [...cast.customers]
  if (first === undefined) return []
  const [party, customer] = first
  const isTyped = flow.parties.some(({ type }) => type !== undefined)
  const own = isTyped ? {} : { bindings: { us: cast.company.userId } }
  const targets = Object.fromEntries([...cast.customers].map(([key, one]) => [key, connectionOf(one)]))
  const bind: Begin = (members) => begin({ ...rest, ...own, ...members })
  const wrongKind = lane.customers.find(({ kind }) => kind !== customer.kind)
  const foreign = other.customers[0]
  const strange = { ...targets, [party]: { connection_id: MISSING } }
  return [
    { name: 'no target', key: UNBOUND, act: bind({}) },
    { name: 'a target for no party', key: UNBOUND, act: bind({ targets: { ...targets, none: targets[party] } }) },
    {
      name: 'a party without a target',
      key: UNBOUND,
      act: bind({ targets: Object.fromEntries(others.map(([key, one]) => [key, connectionOf(one)])) }),
    },
    { name: 'a target that does not exist', key: 'flows.connection_not_found', act: bind({ targets: strange }) },
    {
      name: 'a target with a malformed id',
      key: 'flows.connection_not_found',
      act: bind({ targets: { ...targets, [party]: { connection_id: 'no-id' } } }),
    },
    ...(foreign === undefined
      ? []
      : [
          {
            name: 'a connection of another service',
            key: 'flows.connection_not_found',
            act: bind({ targets: { ...targets, [party]: connectionOf(foreign) } }),
          },
        ]),
    ...(isTyped && wrongKind !== undefined
      ? [
          {
            name: 'a customer of another type',
            key: UNBOUND,
            act: bind({ targets: { ...targets, [party]: connectionOf(wrongKind) } }),
          },
          { name: 'a target for the owner', key: UNBOUND, act: bind({ targets: { ...targets, us: targets[party] } }) },
          {
            name: 'a binding that differs from its target',
            key: UNBOUND,
            act: bind({ targets, bindings: { [party]: wrongKind.user.userId } }),
          },
        ]
      : []),
    ...(isTyped ? [] : untypedFaults({ cast, flow }, (members) => begin({ ...rest, ...members }))),
  ]
}

function untypedFaults({ cast, flow }: Pick<Play, 'cast' | 'flow'>, bind: Begin): readonly BadStart[] {
  const company = cast.company.userId
  const all = (userId: string) =>
    Object.fromEntries(flow.parties.map((party) => [party.key, isOwner(party) ? company : userId]))
  return [
    {
      name: 'bindings to the company alone',
      key: 'flows.no_counterparty',
      act: bind({ bindings: all(company) }),
    },
    { name: 'a binding to a stranger', key: UNBOUND, act: bind({ bindings: all(MISSING) }) },
  ]
}

function badTags({ cast, start }: Play, begin: Begin): readonly BadStart[] {
  const { tagValues, trigger, values } = start
  if (tagValues === null) return []
  const { company, ...customers } = tagValues
  const [userId = ''] = Object.keys(customers)
  const { flow_version: _version, ...unversioned } = trigger
  const sent = (tag_values: unknown) => begin({ ...trigger, tag_values })
  const changed = (members: Json) => sent({ ...tagValues, [userId]: { ...tagValues[userId], ...members } })
  const foreign = values.find((value) => value.userId !== userId)
  const wrong = fingerprint(cast.company.publicKey)
  const privately = { public_tags: [], private: { [foreign?.tag ?? '']: company?.public } }
  return [
    { name: 'tag values without a version', key: TAGS, act: begin(unversioned) },
    { name: 'no tag values', key: TAGS, act: sent(undefined) },
    { name: 'tag values in a list', key: TAGS, act: sent([]) },
    { name: 'no tag values for a customer', key: TAGS, act: sent({ company }) },
    { name: 'tag values for a stranger', key: TAGS, act: sent({ ...tagValues, [MISSING]: company }) },
    { name: 'tag values in the clear', key: TAGS, act: changed({ public: 'in the clear' }) },
    { name: 'a tag that no text names', key: TAGS, act: changed({ public_tags: ['us.none'] }) },
    { name: 'private values that are no object', key: TAGS, act: changed({ private: 'none' }) },
    ...(foreign === undefined
      ? []
      : [{ name: 'the private value of another customer', key: TAGS, act: changed(privately) }]),
    {
      name: 'tag values for an older key',
      key: 'flows.tag_values_stale',
      act: changed({ recipient_pubkey_sha256: wrong }),
      body: { stale: [userId] },
    },
  ]
}

function badSources({ start, cast }: Play, begin: Begin): readonly BadStart[] {
  const { sources, trigger } = start
  const sent = (source_files: unknown, members: Json = {}) =>
    begin({ ...trigger, flow_version: 1, source_files, ...members })
  const files = sources.map(sourceToWire)
  const missing = sources.map(({ source_key, for_user_id, sourceUserId }) => ({
    source_key,
    for_user_id,
    source_user_id: sourceUserId,
  }))
  const unasked = { source_key: 'conn:none:none', for_user_id: cast.company.userId, file: 'rf_none' }
  const acts: BadStart[] = [
    {
      name: 'a source file that is not asked for',
      key: SOURCES,
      act: sent([...files, unasked]),
      body: { missing: [], unexpected: ['rf_none'] },
    },
    { name: 'source files that are no list', key: SOURCES, act: sent('none') },
  ]
  const [first, second] = files
  if (first === undefined || second === undefined) return acts
  const { flow_version: _version, ...unversioned } = trigger
  return [
    ...acts,
    { name: 'no source files', key: SOURCES, act: sent(undefined), body: { missing, unexpected: [] } },
    { name: 'a source file too few', key: SOURCES, act: sent(files.slice(1)), body: { missing: missing.slice(0, 1) } },
    { name: 'a source file twice', key: SOURCES, act: sent([first, ...files]) },
    // Without tags in the texts, that is: those need the version, too.
    ...(start.tagValues === null
      ? [{ name: 'source files without a version', key: SOURCES, act: begin(unversioned) }]
      : []),
    {
      name: 'one copy for two readers',
      key: SOURCES,
      act: sent([first, { ...second, file: first['file'] }, ...files.slice(2)]),
    },
  ]
}

function badStages({ door, lane, flow, flowId, cast }: Play): readonly BadStart[] {
  const [customer] = cast.customers.values()
  if (customer === undefined) return []
  const { userId } = customer.user
  const stage =
    (body: Json, id = flowId) =>
    () =>
      door.stage(lane.service, id, body)
  const key = 'flows.source_user_invalid'
  return [
    { name: 'a staged file of no customer', key, act: stage({ value: 'x' }) },
    { name: 'a staged file of a stranger', key, act: stage({ source_user_id: MISSING, value: 'x' }) },
    { name: 'a staged file of the company', key, act: stage({ source_user_id: cast.company.userId, value: 'x' }) },
    {
      name: 'a staged file in the clear',
      key: 'contact_data.encryption_required',
      act: stage({ source_user_id: userId, value: 'x' }),
    },
    {
      name: 'a staged file that is too large',
      key: 'documents.too_large',
      act: stage({ source_user_id: userId, value: TOO_LONG }),
    },
    {
      name: 'a staged file of no flow',
      key: 'flows.not_found',
      act: stage({ source_user_id: userId, value: 'x' }, MISSING),
    },
    {
      name: 'a staged file of a draft',
      key: 'flows.not_published',
      act: async () => stage({ source_user_id: userId, value: 'x' }, await door.draft(lane.service, flow))(),
    },
  ]
}

/** The members that the body of the refusal must have; lists in any order. */
export function checkBody({ name, body }: BadStart, refusal: Json): void {
  for (const [member, wanted] of Object.entries(body ?? {}))
    if (!isDeepStrictEqual(inOrder(refusal[member]), inOrder(wanted)))
      throw new Mismatch(`${name}: ${member} is ${JSON.stringify(refusal[member])}, not ${JSON.stringify(wanted)}`)
}

function inOrder(value: unknown): unknown {
  return Array.isArray(value) ? value.map((one) => JSON.stringify(one)).toSorted() : value
}
