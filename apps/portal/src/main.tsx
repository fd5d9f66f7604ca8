// oxlint-disable-next-line import/no-unassigned-import -- styles have no names
import '@sealpost/ui/styles.css'
import { applyTheme, followLinks, readLanguage } from '@sealpost/ui'
import { readFrontDoorUrl, startWorker } from '@sealpost/web-app'
import { createRoot } from 'react-dom/client'
import { App } from './shell/app.tsx'
import { loadWords, WordsProvider } from './words/index.ts'
// oxlint-disable-next-line import/default -- Vite answers the address of the built file
import workerUrl from './worker/main.ts?worker&url'

applyTheme()
startWorker(workerUrl, { frontDoorUrl: readFrontDoorUrl() })
followLinks()

const place = document.querySelector('#app')
if (place === null) throw new Error('index.html has no place for the app')
const first = await loadWords(readLanguage())
createRoot(place).render(
  <WordsProvider first={first}>
    <App />
  </WordsProvider>,
)
