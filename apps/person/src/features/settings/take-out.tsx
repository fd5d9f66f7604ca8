import { Button, Notice, Page } from '@sealpost/ui'
import { Problem, saveFile, useAct } from '@sealpost/web-app'
import { Download } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { href } from '../../routes.ts'
import { call } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'

export default function TakeOut(): ReactNode {
  const { settings } = useWords()
  const words = settings.takeOutPage
  const act = useAct()
  const [isSaved, setSaved] = useState(false)
  const save = async (): Promise<void> => saveFile(words.fileName, 'application/json', await call('exportData'))
  return (
    <Page title={words.title} lead={words.lead} back={{ href: href('settings'), label: settings.title }}>
      <Problem failure={act.failure} />
      {isSaved ? <Notice what={words.saved} next={words.savedNext} /> : null}
      <div>
        <Button
          look="main"
          icon={<Download size={18} aria-hidden />}
          busy={act.isBusy ? words.busy : null}
          onClick={() => void act.run(save).then(setSaved)}
        >
          {words.save}
        </Button>
      </div>
    </Page>
  )
}
