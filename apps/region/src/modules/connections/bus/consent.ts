import { type Bus, DIRECTORY, type Party } from '@sealpost/bus'
import type { ServiceId, UserId } from '@sealpost/kernel'
import { consentToConnectAsk, readOfferAsk, refuse } from '@sealpost/protocol'
import { readId } from '../../../platform/bus-values.ts'
import type { CustomerContext } from '../customer-side/context.ts'
import { consentToConnect, type Consenting, readOffer } from '../customer-side/operations/consent.ts'

/** Asks of the front door about a person at the consent page; other parties are refused. */
export function answerConsents(bus: Bus, context: CustomerContext): void {
  bus.onRead(readOfferAsk, ({ from, body }) => readOffer(context, readConsenting(from, body)))
  bus.onRead(consentToConnectAsk, async ({ from, body }) => {
    if (await context.isPaused()) throw refuse('db.writes_paused')
    await consentToConnect(context, readConsenting(from, body), {
      sessionId: body.session_id,
      decisions: body.decisions,
      deviceRecord: body.device_record,
      isConfirmed: body.is_confirmed,
    })
    return {}
  })
}

interface ConsentBody {
  readonly user_id: string
  readonly company_code: string
  readonly service_id: string
}

function readConsenting(from: Party, body: ConsentBody): Consenting {
  if (from !== DIRECTORY) throw new Error(`${from} sent an ask that only the front door may send`)
  return {
    accountId: readId<UserId>(body.user_id),
    companyCode: body.company_code,
    serviceId: readId<ServiceId>(body.service_id),
  }
}
