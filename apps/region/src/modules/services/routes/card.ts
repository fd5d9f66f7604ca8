import {
  addSharePhoto as addSharePhotoRoute,
  changeShareFields as changeShareFieldsRoute,
  readShareFields,
  removeSharePhoto as removeSharePhotoRoute,
} from '@sealpost/protocol'
import type { BindRoute } from '../../../platform/bind-route.ts'
import type { ServicesContext } from '../context.ts'
import { nameOfService } from '../model.ts'
import { requireService } from '../operations/require-service.ts'
import { addSharePhoto, changeShareFields, readShareConfig, removeSharePhoto } from '../operations/share-config.ts'
import { actorOf } from './actor.ts'

export function bindCardRoutes(bind: BindRoute, services: ServicesContext): void {
  bind({
    operation: readShareFields,
    locate: ({ caller, params }) => requireService(services, caller, params.id),
    handle: ({ located }) => services.database.read((read) => readShareConfig(read, nameOfService(located))),
  })
  bind({
    operation: changeShareFieldsRoute,
    locate: ({ caller, params }) => requireService(services, caller, params.id),
    handle: ({ caller, located, body }) => changeShareFields(services, actorOf(caller), nameOfService(located), body),
  })
  bind({
    operation: addSharePhotoRoute,
    locate: ({ caller, params }) => requireService(services, caller, params.id),
    handle: ({ caller, located, body }) =>
      addSharePhoto(services, actorOf(caller), nameOfService(located), body.photo_id),
  })
  bind({
    operation: removeSharePhotoRoute,
    locate: ({ caller, params }) => requireService(services, caller, params.id),
    async handle({ caller, located, body }) {
      await removeSharePhoto(services, actorOf(caller), nameOfService(located), body.photo_id)
      return undefined
    },
  })
}
