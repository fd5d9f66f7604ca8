import { Button, Buttons } from '@sealpost/ui'
import { DeskSection, Dialog } from '@sealpost/ui/desk'
import { Problem, useAct } from '@sealpost/web-app'
import { type ReactNode, useState } from 'react'
import { call } from '../../../shell/worker.ts'
import { useWords } from '../../../words/index.ts'

export function DeleteClient({ serviceId }: { readonly serviceId: string }): ReactNode {
  const words = useWords().api.ending
  const [isOpen, setOpen] = useState(false)
  const act = useAct()
  const end = async (): Promise<void> => {
    if (await act.run(() => call('deleteDataClient', serviceId))) setOpen(false)
  }
  return (
    <DeskSection title={words.title} acts={<Button onClick={() => setOpen(true)}>{words.open}</Button>}>
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={words.title}
        about={words.about}
        isBusy={act.isBusy}
        acts={
          <Buttons>
            <Button look="danger" busy={act.isBusy ? words.busy : null} onClick={() => void end()}>
              {words.act}
            </Button>
            <Button onClick={() => setOpen(false)}>{words.keep}</Button>
          </Buttons>
        }
      >
        <Problem failure={act.failure} />
      </Dialog>
    </DeskSection>
  )
}
