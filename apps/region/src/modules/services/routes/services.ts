import {
  changeNumberMatching,
  changeRequiredSecondFactor,
  changeService as changeServiceOperation,
  changeServiceAdminEmail,
  changeServiceShareCode,
  createService,
  deleteService as deleteServiceOperation,
  listServices as listServicesOperation,
  readService,
  readServicePrivateKey,
} from '@sealpost/protocol'
import type { BindRoute } from '../../../bind.ts'
import { actorOf } from '../acting.ts'
import { deleteService } from '../deletion.ts'
import type { ServicesNeeds } from '../needs.ts'
import { nameOf, openService } from '../open.ts'
import { readPrivateKey } from '../private-key.ts'
import { changeService, demandCode, demandEmail, listServices, makeService, showCurrent } from '../services.ts'

export function bindServiceRoutes(bind: BindRoute, needs: ServicesNeeds): void {
  bind({
    operation: createService,
    handle: ({ caller, body, storeAnswer }) => makeService(needs, actorOf(caller), body, storeAnswer),
  })
  bind({
    operation: listServicesOperation,
    handle: ({ caller, query }) => listServices(needs, caller, query),
  })
  bind({
    operation: readService,
    locate: ({ caller, params }) => openService(needs, caller, params.id),
    handle: ({ located }) => needs.database.read((read) => showCurrent(read, located)),
  })
  bind({
    operation: deleteServiceOperation,
    locate: ({ caller, params }) => openService(needs, caller, params.id),
    async handle({ caller, located }) {
      await deleteService(needs, actorOf(caller), nameOf(located))
      return undefined
    },
  })
  bind({
    operation: readServicePrivateKey,
    locate: ({ caller, params }) => openService(needs, caller, params.id),
    handle: ({ caller, located }) => readPrivateKey(needs, caller, located),
  })
  bindChanges(bind, needs)
}

function bindChanges(bind: BindRoute, needs: ServicesNeeds): void {
  bind({
    operation: changeServiceOperation,
    locate: ({ caller, params }) => openService(needs, caller, params.id),
    handle: ({ caller, located, body: { name, audience } }) =>
      changeService(
        needs,
        actorOf(caller),
        nameOf(located),
        { name, audience },
        {
          action: 'services.change',
          message: 'The service was renamed or its audience changed',
        },
      ),
  })
  bind({
    operation: changeServiceShareCode,
    locate: ({ caller, params }) => openService(needs, caller, params.id),
    handle({ caller, located, body }) {
      const shareCode = demandCode(body.share_code)
      return changeService(
        needs,
        actorOf(caller),
        nameOf(located),
        { shareCode },
        {
          action: 'services.change_share_code',
          message: 'The share code was changed',
          metadata: { share_code: shareCode },
        },
      )
    },
  })
  bind({
    operation: changeServiceAdminEmail,
    locate: ({ caller, params }) => openService(needs, caller, params.id),
    handle({ caller, located, body }) {
      const adminEmail = demandEmail(body.admin_email)
      return changeService(
        needs,
        actorOf(caller),
        nameOf(located),
        { adminEmail },
        {
          action: 'services.change_admin_email',
          message: 'The admin e-mail was changed',
        },
      )
    },
  })
  bindSwitches(bind, needs)
}

function bindSwitches(bind: BindRoute, needs: ServicesNeeds): void {
  bind({
    operation: changeNumberMatching,
    locate: ({ caller, params }) => openService(needs, caller, params.id),
    handle: ({ caller, located, body: { number_matching: numberMatching } }) =>
      changeService(
        needs,
        actorOf(caller),
        nameOf(located),
        { numberMatching },
        {
          action: 'services.change_number_matching',
          message: numberMatching ? 'Number matching was switched on' : 'Number matching was switched off',
        },
      ),
  })
  bind({
    operation: changeRequiredSecondFactor,
    locate: ({ caller, params }) => openService(needs, caller, params.id),
    handle: ({ caller, located, body: { require_2fa: require2fa } }) =>
      changeService(
        needs,
        actorOf(caller),
        nameOf(located),
        { require2fa },
        {
          action: 'services.change_require_2fa',
          message: require2fa ? 'A second factor is required now' : 'A second factor is no longer required',
        },
      ),
  })
}
