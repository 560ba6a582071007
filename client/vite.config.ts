import { defineConfig } from 'vite'

export default defineConfig({
  base: '/client/',
  build: {
    target: 'es2022',
    // The page's policy allows neither inline scripts nor data addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
})
