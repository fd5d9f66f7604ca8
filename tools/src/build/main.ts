import { join } from 'node:path'
import { forwarderProgram } from '@sealpost/forwarder/build/program'
import { frontDoorProgram } from '@sealpost/front-door/build/program'
import { buildPerson } from '@sealpost/person/build'
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
console.log('dist/person: WEB_ROOT=dist/person node dist/web/main.js')
