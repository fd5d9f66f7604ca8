import { type EventId, parseUuid, type WebhookId } from '@sealpost/kernel'
import { sealAdvice } from '@sealpost/pdf'
import { pushAdvice } from '@sealpost/push'
import { regionProxyAdvice } from '../../platform/proxy-advice.ts'
import type { Region } from '../../region.ts'
import { diagnoseEvent, diagnoseEvents, listQuarantinedEvents } from './events.ts'
import { diagnoseJobs, listDeadJobs } from './jobs.ts'
import { diagnoseMessages, type Pause } from './messages.ts'
import { diagnoseObjects } from './objects.ts'
import { diagnoseStandbys } from './standbys.ts'
import { diagnoseWebhook } from './webhook.ts'

const USAGE =
  'Without arguments it reports blocked messages between regions, dead jobs, events that miss their schema, standbys of the ' +
  'database, the certificate of the seal and the key of push messages; otherwise: jobs, objects, events, event <event id>, or webhook <webhook id>'

/** The report for an operator: one or more lines. */
export async function diagnose(region: Region, args: readonly string[], pause: Pause): Promise<string> {
  const [what, id, ...rest] = args
  const { bus, jobs, database } = region.platform
  if (what === undefined) {
    const advice = regionProxyAdvice(region.platform)
    const lines = [await diagnoseMessages(bus, pause), ...(await listDeadJobs(jobs))]
    const found = [...(await listQuarantinedEvents(region)), await diagnoseStandbys(database)]
    const { settings, clock } = region.platform
    const advised = [advice, sealAdvice(settings, clock), pushAdvice(settings)]
    return [...lines, ...found, ...advised].filter((line) => line !== null).join('\n')
  }
  if (id === undefined) {
    if (what === 'jobs') return diagnoseJobs(jobs)
    if (what === 'events') return diagnoseEvents(region)
    if (what === 'objects') return diagnoseObjects(region.platform)
  } else if (rest.length === 0 && (what === 'event' || what === 'webhook')) {
    const uuid = parseUuid<EventId & WebhookId>(id)
    if (uuid === null)
      throw new Error(`${id} is not the id of ${what === 'event' ? 'an event' : 'a webhook'}. ${USAGE}`)
    return what === 'event' ? diagnoseEvent(region, uuid) : diagnoseWebhook(region, uuid, pause)
  }
  throw new Error(USAGE)
}
