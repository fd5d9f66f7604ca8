import { Button, Notice } from '@sealpost/ui'
import { Problem, Shown, useAct } from '@sealpost/web-app'
import type { ReactNode } from 'react'
import { useActing } from '../../shell/acting.tsx'
import { call, useRead } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'

/** For a delegate, beside the other ways to open the key of a service. */
export function HandedKey({ serviceId }: { readonly serviceId: string }): ReactNode {
  return useActing().role === 'owner' ? null : <OpenHanded serviceId={serviceId} />
}

function OpenHanded({ serviceId }: { readonly serviceId: string }): ReactNode {
  const words = useWords().delegates.handed
  const isHanded = useRead('isKeyHanded', 'key', serviceId)
  const act = useAct()
  const open = (
    <Button
      look="main"
      busy={act.isBusy ? words.busy : null}
      onClick={() => void act.run(async () => call('openHandedKey', serviceId))}
    >
      {words.open}
    </Button>
  )
  return (
    <Shown of={isHanded}>
      {(is) => (
        <>
          {is ? <Notice what={words.is} act={open} /> : <Notice kind="wait" what={words.isNot} next={words.ask} />}
          <Problem failure={act.failure} />
        </>
      )}
    </Shown>
  )
}
