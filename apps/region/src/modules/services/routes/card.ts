import {
  addSharePhoto as addSharePhotoOperation,
  changeShareFields as changeShareFieldsOperation,
  readShareFields,
  removeSharePhoto as removeSharePhotoOperation,
} from '@sealpost/protocol'
import type { BindRoute } from '../../../bind.ts'
import { actorOf } from '../acting.ts'
import type { ServicesNeeds } from '../needs.ts'
import { nameOf, openService } from '../open.ts'
import { addSharePhoto, changeShareFields, readShareConfig, removeSharePhoto } from '../share-config.ts'

export function bindCardRoutes(bind: BindRoute, needs: ServicesNeeds): void {
  bind({
    operation: readShareFields,
    locate: ({ caller, params }) => openService(needs, caller, params.id),
    handle: ({ located }) => needs.database.read((read) => readShareConfig(read, nameOf(located))),
  })
  bind({
    operation: changeShareFieldsOperation,
    locate: ({ caller, params }) => openService(needs, caller, params.id),
    handle: ({ caller, located, body }) => changeShareFields(needs, actorOf(caller), nameOf(located), body),
  })
  bind({
    operation: addSharePhotoOperation,
    locate: ({ caller, params }) => openService(needs, caller, params.id),
    handle: ({ caller, located, body, storeAnswer }) =>
      addSharePhoto(needs, actorOf(caller), nameOf(located), body.photo_id, storeAnswer),
  })
  bind({
    operation: removeSharePhotoOperation,
    locate: ({ caller, params }) => openService(needs, caller, params.id),
    async handle({ caller, located, body }) {
      await removeSharePhoto(needs, actorOf(caller), nameOf(located), body.photo_id)
      return undefined
    },
  })
}
