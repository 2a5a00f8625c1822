import { defineConfig } from "vitest/config";

// Three entries, one for each page that Django renders. The manifest tells the templates their hashed names.
export default defineConfig({
  base: "/static/",
  build: {
    target: "es2023",
    outDir: "dist",
    emptyOutDir: true,
    manifest: true,
    // The preload helper inserts markup that a strict CSP refuses, and nothing here is worth preloading.
    modulePreload: false,
    assetsInlineLimit: 0,
    rollupOptions: { input: ["src/workspace.ts", "src/start.ts", "src/open.ts"] },
  },
  test: { environment: "jsdom", include: ["test/**/*.test.ts"], css: true },
});
