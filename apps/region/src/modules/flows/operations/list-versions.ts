import type { PageQueryText } from '@sealpost/protocol'
import { listPage, type Slice } from '../../../platform/page.ts'
import type { FlowsContext } from '../context.ts'
import type { FlowName } from '../model.ts'
import type { VersionSummary } from '../model.ts'
import { listVersionRows } from '../store/versions.ts'
import { versionToWire } from '../wire.ts'

const NUMBER = /^[1-9][0-9]{0,8}$/

export function listVersions({ database }: Pick<FlowsContext, 'database'>, flow: FlowName, query: PageQueryText) {
  const list = {
    name: 'flow-versions',
    idOf: ({ version }: VersionSummary) => String(version),
    toWire: versionToWire,
    readId: (text: string) => (NUMBER.test(text) ? text : null),
  }
  return listPage(list, query, (slice: Slice) => database.read((read) => listVersionRows(read, flow, slice)))
}
