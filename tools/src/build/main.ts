import { join } from 'node:path'
import { forwarderProgram } from '@sealpost/forwarder/build/program'
import { frontDoorProgram } from '@sealpost/front-door/build/program'
import { buildPerson } from '@sealpost/person/build'
import { buildPortal } from '@sealpost/portal/build'
import { bundleProgram } from '@sealpost/process/build'
import { regionProgram } from '@sealpost/region/build/program'
import { webProgram } from '@sealpost/web/build/program'

/** `npm run build`: the servers and the web apps as folders of files, in `dist/`. */
const into = join(import.meta.dirname, '../../../dist')
for (const program of [frontDoorProgram, regionProgram, forwarderProgram, webProgram]) {
  await bundleProgram(program, into)
  console.log(`dist/${program.name}: node dist/${program.name}/main.js`)
}
await buildPerson(join(into, 'person'))
await buildPortal(join(into, 'portal'))
for (const app of ['person', 'portal']) console.log(`dist/${app}: WEB_ROOT=dist/${app} node dist/web/main.js`)
