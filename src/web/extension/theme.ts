/** Light or dark as Argo CD is, which says so by a class around all it shows, and not as the browser is. */

const THEMED = '.theme-dark, .theme-light';

/** Follows the theme until what it gives is called. */
export function takeTheme(host: HTMLElement): () => void {
  const themed = host.closest(THEMED) ?? document.querySelector(THEMED);
  const take = (): void => {
    host.style.colorScheme = themed?.classList.contains('theme-dark') === true ? 'dark' : 'light';
  };
  take();
  const observer = new MutationObserver(take);
  if (themed !== null) observer.observe(themed, { attributeFilter: ['class'] });
  return () => {
    observer.disconnect();
  };
}
