// The workshop: the components of the web client in all their states, without a service. `npm run workshop -w @plinth/web` opens it.

import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  cacheDir: '../node_modules/.vite-workshop',
  plugins: [react()],
  resolve: { conditions: ['plinth-source', ...defaultClientConditions] },
  build: { target: 'es2022', chunkSizeWarningLimit: 4000 },
})
