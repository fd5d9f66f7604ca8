import { type EventId, parseUuid } from '@sealpost/kernel'
import { discardEvents, retryEvent } from '../../modules/feed/index.ts'
import { type OperatorCommand, UsageError } from './command.ts'

export const retryEvents: OperatorCommand = {
  takes: '<event id …>',
  about: 'delivers events again that missed their schema, if they match it now; the doctor lists them',
  async run({ modules: { feed } }, names) {
    const counts = { delivered: 0, obsolete: 0 }
    const failures: string[] = []
    for (const id of readIds(names)) {
      const retried = await retryEvent(feed, id)
      switch (retried.outcome) {
        case 'unknown':
          failures.push(`no kept event is called ${id}: see the doctor’s report of events`)
          break
        case 'misfit':
          failures.push(`${id} still does not match: ${retried.reason}`)
          break
        case 'delivered':
        case 'obsolete':
          counts[retried.outcome] += 1
      }
    }
    const lines = describe(counts)
    if (failures.length > 0) throw new Error([...lines, ...failures].join('\n'))
    return lines.join('\n')
  },
}

export const discardKeptEvents: OperatorCommand = {
  takes: '<event id …>',
  about: 'forgets events that missed their schema; no reader gets them',
  async run({ modules: { feed } }, names) {
    const ids = readIds(names)
    return `forgot ${await discardEvents(feed, ids)} of ${ids.length} events`
  },
}

function describe({ delivered, obsolete }: Readonly<Record<'delivered' | 'obsolete', number>>): readonly string[] {
  return [
    ...(delivered > 0 ? [`${count(delivered)} delivered again`] : []),
    ...(obsolete > 0
      ? [`${count(obsolete)} obsolete and not delivered: a later one has replaced it, or what it tells is gone`]
      : []),
  ]
}

function count(events: number): string {
  return events === 1 ? '1 event is' : `${events} events are`
}

function readIds(texts: readonly string[]): readonly EventId[] {
  if (texts.length === 0) throw new UsageError('name events')
  return texts.map((text) => {
    const id = parseUuid<EventId>(text)
    if (id === null) throw new UsageError(`${text} is not the id of an event`)
    return id
  })
}
