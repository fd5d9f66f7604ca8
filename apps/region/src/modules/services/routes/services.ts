import {
  changeNumberMatching,
  changeRequiredSecondFactor,
  changeService as changeServiceRoute,
  changeServiceAdminEmail,
  changeServiceShareCode,
  createService as createServiceRoute,
  deleteService as deleteServiceRoute,
  listServices as listServicesRoute,
  readService,
  readServicePrivateKey,
} from '@sealpost/protocol'
import type { BindRoute } from '../../../platform/bind-route.ts'
import type { ServicesContext } from '../context.ts'
import { nameOfService } from '../model.ts'
import { changeService } from '../operations/change-service.ts'
import { createService } from '../operations/create-service.ts'
import { deleteService } from '../operations/delete-service.ts'
import { listDeletedServices, listServices, readPrivateKey, readWithProgress } from '../operations/read-services.ts'
import { requireReadable, requireService } from '../operations/require-service.ts'
import { requireAdminEmail } from '../rules/admin-email.ts'
import { requireShareCode } from '../rules/share-code.ts'
import { actorOf } from './actor.ts'

export function bindOwnServiceRoutes(bind: BindRoute, services: ServicesContext): void {
  bind({
    operation: createServiceRoute,
    handle: ({ caller, body }) => createService(services, actorOf(caller), body),
  })
  bind({
    operation: listServicesRoute,
    handle: ({ caller, query }) =>
      query.deleted === 'true' ? listDeletedServices(services, caller, query) : listServices(services, caller, query),
  })
  bind({
    operation: readService,
    locate: ({ caller, params }) => requireService(services, caller, params.id),
    handle: ({ located }) => services.database.read((read) => readWithProgress(services, read, located)),
  })
  bind({
    operation: deleteServiceRoute,
    locate: ({ caller, params }) => requireService(services, caller, params.id),
    async handle({ caller, located }) {
      await deleteService(services, actorOf(caller), nameOfService(located))
      return undefined
    },
  })
  bind({
    operation: readServicePrivateKey,
    locate: ({ caller, params }) => requireReadable(services, caller, params.id),
    handle: ({ caller, located }) => readPrivateKey(services, caller, located),
  })
  bindChanges(bind, services)
}

function bindChanges(bind: BindRoute, services: ServicesContext): void {
  bind({
    operation: changeServiceRoute,
    locate: ({ caller, params }) => requireService(services, caller, params.id),
    handle: ({ caller, located, body: { name, audience } }) =>
      changeService(
        services,
        actorOf(caller),
        nameOfService(located),
        { name, audience },
        {
          action: 'services.change',
          message: 'The service was renamed or its audience changed',
        },
      ),
  })
  bind({
    operation: changeServiceShareCode,
    locate: ({ caller, params }) => requireService(services, caller, params.id),
    handle({ caller, located, body }) {
      const shareCode = requireShareCode(body.share_code)
      return changeService(
        services,
        actorOf(caller),
        nameOfService(located),
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
    locate: ({ caller, params }) => requireService(services, caller, params.id),
    handle({ caller, located, body }) {
      const adminEmail = requireAdminEmail(body.admin_email)
      return changeService(
        services,
        actorOf(caller),
        nameOfService(located),
        { adminEmail },
        {
          action: 'services.change_admin_email',
          message: 'The admin e-mail was changed',
        },
      )
    },
  })
  bindSwitches(bind, services)
}

function bindSwitches(bind: BindRoute, services: ServicesContext): void {
  bind({
    operation: changeNumberMatching,
    locate: ({ caller, params }) => requireService(services, caller, params.id),
    handle: ({ caller, located, body: { number_matching: numberMatching } }) =>
      changeService(
        services,
        actorOf(caller),
        nameOfService(located),
        { numberMatching },
        {
          action: 'services.change_number_matching',
          message: numberMatching ? 'Number matching was switched on' : 'Number matching was switched off',
        },
      ),
  })
  bind({
    operation: changeRequiredSecondFactor,
    locate: ({ caller, params }) => requireService(services, caller, params.id),
    handle: ({ caller, located, body: { require_2fa: require2fa } }) =>
      changeService(
        services,
        actorOf(caller),
        nameOfService(located),
        { require2fa },
        {
          action: 'services.change_require_2fa',
          message: require2fa ? 'A second factor is required now' : 'A second factor is no longer required',
        },
      ),
  })
}
