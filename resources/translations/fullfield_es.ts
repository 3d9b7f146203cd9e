<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="es" sourcelanguage="en">
<context>
    <name>AdjustPanel</name>
    <message>
        <source>Adjust the preset</source>
        <translation>Modificar el ajuste predefinido</translation>
    </message>
    <message>
        <source>Preset that is adjusted</source>
        <translation>Ajuste predefinido que se modifica</translation>
    </message>
    <message>
        <source>All parameters</source>
        <translation>Todos los parámetros</translation>
    </message>
    <message>
        <source>Show all parameters</source>
        <translation>Mostrar todos los parámetros</translation>
    </message>
    <message>
        <source>Parameters of the preset</source>
        <translation>Parámetros del ajuste predefinido</translation>
    </message>
    <message>
        <source>Parameters, scrolled</source>
        <translation>Parámetros, desplazables</translation>
    </message>
    <message>
        <source>Reset all</source>
        <translation>Restablecer</translation>
    </message>
    <message>
        <source>Reset all parameters to those of the preset</source>
        <translation>Devolver todos los parámetros a los del ajuste predefinido</translation>
    </message>
    <message>
        <source>Save as a preset…</source>
        <translation>Guardar como ajuste propio…</translation>
    </message>
    <message>
        <source>Save these values as a preset of your own</source>
        <translation>Guardar estos valores como un ajuste propio</translation>
    </message>
    <message>
        <source>Parameters: {title}</source>
        <translation>Parámetros: {title}</translation>
    </message>
</context>
<context>
    <name>Adjusting</name>
    <message>
        <source>Choose an image that has been opened.</source>
        <translation>Elija una imagen que esté abierta.</translation>
    </message>
    <message>
        <source>A model has no parameters to adjust. Choose a preset.</source>
        <translation>Un modelo no tiene parámetros que modificar. Elija un ajuste predefinido.</translation>
    </message>
</context>
<context>
    <name>Canvas</name>
    <message>
        <source>{zoom} %   W {width}   L {level}</source>
        <translation>{zoom} %   W {width}   L {level}</translation>
    </message>
</context>
<context>
    <name>CardChoice</name>
    <message>
        <source>Plan for</source>
        <translation>Planificar para</translation>
    </message>
    <message>
        <source>This computer: {device}</source>
        <translation>Este equipo: {device}</translation>
    </message>
    <message>
        <source>{card}, {memory}</source>
        <translation>{card}, {memory}</translation>
    </message>
    <message>
        <source>Plan for, caption</source>
        <translation>Planificar para, rótulo</translation>
    </message>
    <message>
        <source>For a card that is not in this computer the figures are an estimate.</source>
        <translation>Para una tarjeta que no está en este equipo, las cifras son una estimación.</translation>
    </message>
    <message>
        <source>Card to plan for</source>
        <translation>Tarjeta para la que se planifica</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>Este equipo</translation>
    </message>
    <message>
        <source>A card with this memory:</source>
        <translation>Una tarjeta con esta memoria:</translation>
    </message>
    <message>
        <source>Memory of the card</source>
        <translation>Memoria de la tarjeta</translation>
    </message>
    <message>
        <source>Write an amount with its unit, for instance 8 GiB.</source>
        <translation>Escriba una cantidad con su unidad, por ejemplo 8 GiB.</translation>
    </message>
    <message>
        <source>Memory of the card: what is wrong</source>
        <translation>Memoria de la tarjeta: qué está mal</translation>
    </message>
</context>
<context>
    <name>CardDialog</name>
    <message>
        <source>The file is whole: its content matches its checksum. This is what it says of itself.</source>
        <translation>El archivo está íntegro: su contenido coincide con su suma de comprobación. Esto es lo que dice de sí mismo.</translation>
    </message>
    <message>
        <source>What was checked</source>
        <translation>Lo que se comprobó</translation>
    </message>
    <message>
        <source>Card of the model in the file</source>
        <translation>Ficha del modelo del archivo</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Go on or not</source>
        <translation>Seguir o no</translation>
    </message>
    <message>
        <source>Leave the file alone</source>
        <translation>Dejar el archivo como está</translation>
    </message>
</context>
<context>
    <name>CheckList</name>
    <message>
        <source>Wrong</source>
        <translation>Fallo</translation>
    </message>
    <message>
        <source>Notice</source>
        <translation>Aviso</translation>
    </message>
    <message>
        <source>Good</source>
        <translation>Bien</translation>
    </message>
    <message>
        <source>System</source>
        <translation>Sistema</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>Procesador</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Memoria</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Idioma</translation>
    </message>
    <message>
        <source>Compiler</source>
        <translation>Compilador</translation>
    </message>
    <message>
        <source>Packages</source>
        <translation>Paquetes</translation>
    </message>
    <message>
        <source>Folder of decoded images</source>
        <translation>Carpeta de imágenes descodificadas</translation>
    </message>
    <message>
        <source>Folder of runs</source>
        <translation>Carpeta de entrenamientos</translation>
    </message>
    <message>
        <source>Folder for temporary files</source>
        <translation>Carpeta de archivos temporales</translation>
    </message>
    <message>
        <source>Folder of documents</source>
        <translation>Carpeta de documentos</translation>
    </message>
    <message>
        <source>Folder of settings</source>
        <translation>Carpeta de ajustes</translation>
    </message>
    <message>
        <source>Screen</source>
        <translation>Pantalla</translation>
    </message>
    <message>
        <source>System libraries of the window</source>
        <translation>Bibliotecas del sistema para la ventana</translation>
    </message>
    <message>
        <source>Decoders</source>
        <translation>Descodificadores</translation>
    </message>
    <message>
        <source>Training part</source>
        <translation>Parte de entrenamiento</translation>
    </message>
    <message>
        <source>Damaged files</source>
        <translation>Archivos dañados</translation>
    </message>
    <message>
        <source>Decoding child</source>
        <translation>Proceso que descodifica</translation>
    </message>
    <message>
        <source>NVIDIA driver</source>
        <translation>Controlador de NVIDIA</translation>
    </message>
    <message>
        <source>Device for models and training</source>
        <translation>Dispositivo para modelos y entrenamiento</translation>
    </message>
    <message>
        <source>Diagnosis</source>
        <translation>Diagnóstico</translation>
    </message>
    <message>
        <source>Checks</source>
        <translation>Comprobaciones</translation>
    </message>
    <message>
        <source>All checks</source>
        <translation>Todas las comprobaciones</translation>
    </message>
    <message>
        <source>{check}: {verdict}</source>
        <translation>{check}: {verdict}</translation>
    </message>
    <message>
        <source>{check}, title</source>
        <translation>{check}, título</translation>
    </message>
    <message>
        <source>{check}: what was found</source>
        <translation>{check}: lo que se encontró</translation>
    </message>
    <message>
        <source>{check}: what to do</source>
        <translation>{check}: qué hacer</translation>
    </message>
</context>
<context>
    <name>ChoiceBar</name>
    <message>
        <source>Enhance with</source>
        <translation>Realzar con</translation>
    </message>
    <message>
        <source>Enhance with, caption</source>
        <translation>Realzar con, rótulo</translation>
    </message>
    <message>
        <source>Preset or model</source>
        <translation>Ajuste predefinido o modelo</translation>
    </message>
    <message>
        <source>Automatic chooses the preset by body part, species and kind of input of each image.</source>
        <translation>Automático elige el ajuste predefinido según la región anatómica, la especie y el tipo de entrada de cada imagen.</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automático</translation>
    </message>
    <message>
        <source>Model from a file…</source>
        <translation>Modelo de un archivo…</translation>
    </message>
    <message>
        <source>As found</source>
        <translation>Automática</translation>
    </message>
    <message>
        <source>Found: {kind}</source>
        <translation>Auto: {kind}</translation>
    </message>
    <message>
        <source>Raw as the detector gave it, or processed for display. The logarithm is for raw input only.</source>
        <translation>Sin procesar, como la dio el detector, o procesada para mostrarse. El logaritmo es solo para imágenes sin procesar.</translation>
    </message>
    <message>
        <source>raw</source>
        <translation>sin procesar</translation>
    </message>
    <message>
        <source>processed</source>
        <translation>procesada</translation>
    </message>
    <message>
        <source>Apply to all</source>
        <translation>A todas</translation>
    </message>
    <message>
        <source>Enhance all images with this choice</source>
        <translation>Realzar todas las imágenes con esta elección</translation>
    </message>
    <message>
        <source>Enhance every image in the list with this choice</source>
        <translation>Realzar todas las imágenes de la lista con esta elección</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>Entrada</translation>
    </message>
    <message>
        <source>Kind of input, caption</source>
        <translation>Tipo de entrada, rótulo</translation>
    </message>
    <message>
        <source>Kind of input</source>
        <translation>Tipo de entrada</translation>
    </message>
    <message>
        <source>Raw</source>
        <translation>Sin procesar</translation>
    </message>
    <message>
        <source>Processed for display</source>
        <translation>Procesada para mostrarse</translation>
    </message>
    <message>
        <source>Adjust…</source>
        <translation>Modificar…</translation>
    </message>
    <message>
        <source>Adjust the preset with sliders</source>
        <translation>Modificar el ajuste predefinido con deslizadores</translation>
    </message>
    <message>
        <source>Show the parameters of the preset as sliders</source>
        <translation>Mostrar los parámetros del ajuste predefinido como deslizadores</translation>
    </message>
    <message>
        <source>{title} (for raw images only)</source>
        <translation>{title} (solo para imágenes sin procesar)</translation>
    </message>
    <message>
        <source>{title} (for processed images only)</source>
        <translation>{title} (solo para imágenes procesadas)</translation>
    </message>
    <message>
        <source>{title} (not for mammograms)</source>
        <translation>{title} (no para mamografías)</translation>
    </message>
    <message>
        <source>Model: {name}</source>
        <translation>Modelo: {name}</translation>
    </message>
    <message>
        <source>Model: {name} (no longer there)</source>
        <translation>Modelo: {name} (ya no está)</translation>
    </message>
    <message>
        <source>Model: {name} (not worth using)</source>
        <translation>Modelo: {name} (no merece la pena usarlo)</translation>
    </message>
    <message>
        <source>{title} (your own)</source>
        <translation>{title} (propio)</translation>
    </message>
</context>
<context>
    <name>Clearing</name>
    <message>
        <source>One image leaves that the filter hides.</source>
        <translation>Sale también una imagen que el filtro oculta.</translation>
    </message>
    <message>
        <source>{count} images leave that the filter hides.</source>
        <translation>Salen también {count} imágenes que el filtro oculta.</translation>
    </message>
    <message>
        <source>Clear the list?</source>
        <translation>¿Vaciar la lista?</translation>
    </message>
    <message>
        <source>Clear the list</source>
        <translation>Vaciar la lista</translation>
    </message>
    <message>
        <source>Go back</source>
        <translation>Volver</translation>
    </message>
</context>
<context>
    <name>CompareView</name>
    <message>
        <source>Before</source>
        <translation>Antes</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Después</translation>
    </message>
    <message>
        <source>Image before</source>
        <translation>Imagen antes</translation>
    </message>
    <message>
        <source>Image after</source>
        <translation>Imagen después</translation>
    </message>
    <message>
        <source>Before and after under a curtain</source>
        <translation>Antes y después con la cortina</translation>
    </message>
    <message>
        <source>Difference of after and before</source>
        <translation>Diferencia entre después y antes</translation>
    </message>
    <message>
        <source>Before and after side by side</source>
        <translation>Antes y después en paralelo</translation>
    </message>
    <message>
        <source>Views of the images</source>
        <translation>Vistas de las imágenes</translation>
    </message>
    <message>
        <source>Values under the mouse</source>
        <translation>Valores bajo el ratón</translation>
    </message>
    <message>
        <source>After minus before</source>
        <translation>Después menos antes</translation>
    </message>
</context>
<context>
    <name>ContextMenu</name>
    <message>
        <source>What can be done with the image</source>
        <translation>Lo que se puede hacer con la imagen</translation>
    </message>
</context>
<context>
    <name>DataDesk</name>
    <message>
        <source>Choose the folder of images to train on</source>
        <translation>Elegir la carpeta de imágenes para entrenar</translation>
    </message>
    <message>
        <source>A training takes one folder of images.</source>
        <translation>Un entrenamiento toma una sola carpeta de imágenes.</translation>
    </message>
    <message>
        <source>Unpack the ZIP archive first, then drop the folder that comes out of it.</source>
        <translation>Descomprima primero el archivo ZIP y suelte después la carpeta que resulte.</translation>
    </message>
    <message>
        <source>“{name}” was taken, and nothing else.</source>
        <translation>Se tomó «{name}», y nada más.</translation>
    </message>
</context>
<context>
    <name>DataSide</name>
    <message>
        <source>First step</source>
        <translation>Primer paso</translation>
    </message>
    <message>
        <source>Reading the images: {done} of {total}</source>
        <translation>Leyendo las imágenes: {done} de {total}</translation>
    </message>
    <message>
        <source>Looking for images…</source>
        <translation>Buscando imágenes…</translation>
    </message>
    <message>
        <source>Problems ({count})</source>
        <translation>Problemas ({count})</translation>
    </message>
    <message>
        <source>Review references… ({reviewed} of {total} done)</source>
        <translation>Revisar referencias… ({reviewed} de {total})</translation>
    </message>
    <message>
        <source>1  Images</source>
        <translation>1  Imágenes</translation>
    </message>
    <message>
        <source>First step, title</source>
        <translation>Primer paso, título</translation>
    </message>
    <message>
        <source>Choose folder…</source>
        <translation>Elegir carpeta…</translation>
    </message>
    <message>
        <source>Choose the folder of images</source>
        <translation>Elegir la carpeta de imágenes</translation>
    </message>
    <message>
        <source>Folder of images</source>
        <translation>Carpeta de imágenes</translation>
    </message>
    <message>
        <source>About the images</source>
        <translation>Sobre las imágenes</translation>
    </message>
    <message>
        <source>What the folder holds, scrolled</source>
        <translation>Lo que contiene la carpeta, desplazable</translation>
    </message>
    <message>
        <source>No images yet</source>
        <translation>Aún no hay imágenes</translation>
    </message>
    <message>
        <source>Drop a folder of radiographs here, of at least two patients. Best are pairs: raw/ and reference/ with equal names. From images alone, the conventional processor makes references that you can review.</source>
        <translation>Suelte aquí una carpeta de radiografías, de al menos dos pacientes. Lo mejor son pares: raw/ y reference/ con nombres iguales. Si solo hay imágenes, el procesador convencional crea referencias que usted puede revisar.</translation>
    </message>
    <message>
        <source>What to drop here</source>
        <translation>Qué soltar aquí</translation>
    </message>
    <message>
        <source>Reading the folder</source>
        <translation>Leyendo la carpeta</translation>
    </message>
    <message>
        <source>How far reading is</source>
        <translation>Avance de la lectura</translation>
    </message>
    <message>
        <source>Progress of reading</source>
        <translation>Progreso de la lectura</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Stop reading the folder</source>
        <translation>Dejar de leer la carpeta</translation>
    </message>
    <message>
        <source>What the folder holds</source>
        <translation>Lo que contiene la carpeta</translation>
    </message>
    <message>
        <source>Images and patients</source>
        <translation>Imágenes y pacientes</translation>
    </message>
    <message>
        <source>Where references come from</source>
        <translation>De dónde vienen las referencias</translation>
    </message>
    <message>
        <source>Sizes of the images</source>
        <translation>Tamaños de las imágenes</translation>
    </message>
    <message>
        <source>Who is held back</source>
        <translation>Quiénes se reservan</translation>
    </message>
    <message>
        <source>Review references</source>
        <translation>Revisar referencias</translation>
    </message>
    <message>
        <source>Pairs</source>
        <translation>Pares</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Problemas</translation>
    </message>
    <message>
        <source>Pairs and problems</source>
        <translation>Pares y problemas</translation>
    </message>
    <message>
        <source>Before / after</source>
        <translation>Antes / después</translation>
    </message>
    <message>
        <source>Problems (0)</source>
        <translation>Problemas (0)</translation>
    </message>
    <message>
        <source>… and {count} more</source>
        <translation>… y {count} más</translation>
    </message>
</context>
<context>
    <name>Details</name>
    <message>
        <source>About this image</source>
        <translation>Sobre esta imagen</translation>
    </message>
    <message>
        <source>On 99 % of the image its members disagree by {percent} % of white at most. It is no measure of truth.</source>
        <translation>En el 99 % de la imagen sus miembros discrepan como máximo un {percent} % del blanco. No es una medida de la verdad.</translation>
    </message>
    <message>
        <source>Facts about this image</source>
        <translation>Datos de esta imagen</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Archivo</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>Problema</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>Qué hacer</translation>
    </message>
    <message>
        <source>Damage</source>
        <translation>Daños</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Nota</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>Entrada</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Tamaño</translation>
    </message>
    <message>
        <source>Exposure</source>
        <translation>Exposición</translation>
    </message>
    <message>
        <source>Enhanced</source>
        <translation>Realzada</translation>
    </message>
    <message>
        <source>Ensemble</source>
        <translation>Conjunto</translation>
    </message>
    <message>
        <source>Exported</source>
        <translation>Exportada</translation>
    </message>
    <message>
        <source>{fact} of this image</source>
        <translation>Esta imagen: {fact}</translation>
    </message>
    <message>
        <source>{fact}, caption</source>
        <translation>{fact}, rótulo</translation>
    </message>
    <message>
        <source>{kind}, as chosen here. Found: {found}</source>
        <translation>{kind}, según se eligió aquí. Detectado: {found}</translation>
    </message>
    <message>
        <source>{bits} bit</source>
        <translation>{bits} bits</translation>
    </message>
    <message>
        <source>Its pixels are not square: it is shown in its true proportions.</source>
        <translation>Sus píxeles no son cuadrados: se muestra en sus proporciones reales.</translation>
    </message>
    <message>
        <source>Exposure Index {index}</source>
        <translation>Índice de exposición {index}</translation>
    </message>
    <message>
        <source>target {index}</source>
        <translation>objetivo {index}</translation>
    </message>
    <message>
        <source>above the target</source>
        <translation>por encima del objetivo</translation>
    </message>
    <message>
        <source>below the target</source>
        <translation>por debajo del objetivo</translation>
    </message>
    <message>
        <source>Deviation Index {index}</source>
        <translation>Índice de desviación {index}</translation>
    </message>
    <message>
        <source>Raw</source>
        <translation>Sin procesar</translation>
    </message>
    <message>
        <source>Processed for display</source>
        <translation>Procesada para mostrarse</translation>
    </message>
</context>
<context>
    <name>DiagnoseDialog</name>
    <message>
        <source>computer</source>
        <translation>equipo</translation>
    </message>
    <message>
        <source>installation</source>
        <translation>instalación</translation>
    </message>
    <message>
        <source>folders</source>
        <translation>carpetas</translation>
    </message>
    <message>
        <source>window</source>
        <translation>ventana</translation>
    </message>
    <message>
        <source>decoders</source>
        <translation>descodificadores</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Diagnose</source>
        <translation>Diagnosticar</translation>
    </message>
    <message>
        <source>Looking at this computer…</source>
        <translation>Examinando este equipo…</translation>
    </message>
    <message>
        <source>Diagnosis in short</source>
        <translation>Diagnóstico en resumen</translation>
    </message>
    <message>
        <source>Diagnose again</source>
        <translation>Diagnosticar de nuevo</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>Copiar como texto</translation>
    </message>
    <message>
        <source>Save for support…</source>
        <translation>Guardar para asistencia…</translation>
    </message>
    <message>
        <source>What to do with the diagnosis</source>
        <translation>Qué hacer con el diagnóstico</translation>
    </message>
    <message>
        <source>What is saved for support holds this list, the settings and the logs of the last runs, without names of patients, files or users.</source>
        <translation>Lo que se guarda para la asistencia contiene esta lista, los ajustes y los registros de los últimos procesos, sin nombres de pacientes, archivos ni usuarios.</translation>
    </message>
    <message>
        <source>Looking at: {part}…</source>
        <translation>Examinando: {part}…</translation>
    </message>
    <message>
        <source>{count} things are wrong. Each says what to do.</source>
        <translation>Hay {count} fallos. Cada uno indica qué hacer.</translation>
    </message>
    <message>
        <source>One thing is wrong. It says what to do.</source>
        <translation>Hay un fallo. Se indica qué hacer.</translation>
    </message>
    <message>
        <source>Nothing is wrong.</source>
        <translation>No hay ningún fallo.</translation>
    </message>
    <message>
        <source>The list has been copied.</source>
        <translation>La lista se ha copiado.</translation>
    </message>
    <message>
        <source>Save the diagnosis for support</source>
        <translation>Guardar el diagnóstico para asistencia</translation>
    </message>
    <message>
        <source>ZIP archives (*.zip)</source>
        <translation>Archivos ZIP (*.zip)</translation>
    </message>
    <message>
        <source>Saved. Look through it before you send it.</source>
        <translation>Guardado. Revíselo antes de enviarlo.</translation>
    </message>
</context>
<context>
    <name>Difference</name>
    <message>
        <source>darker</source>
        <translation>más oscuro</translation>
    </message>
    <message>
        <source>brighter</source>
        <translation>más claro</translation>
    </message>
</context>
<context>
    <name>DropArea</name>
    <message>
        <source>Start: no images yet</source>
        <translation>Inicio: aún no hay imágenes</translation>
    </message>
    <message>
        <source>Drop radiographs or folders here</source>
        <translation>Suelte aquí radiografías o carpetas</translation>
    </message>
    <message>
        <source>DICOM, PNG, TIFF, JPEG or WebP; folders and ZIP archives too. Each image is shown at once and enhanced at its native resolution. Your files are never changed.</source>
        <translation>DICOM, PNG, TIFF, JPEG o WebP; también carpetas y archivos ZIP. Cada imagen se muestra enseguida y se realza en su resolución original. Sus archivos nunca se modifican.</translation>
    </message>
    <message>
        <source>Open files…</source>
        <translation>Abrir archivos…</translation>
    </message>
    <message>
        <source>Open folder…</source>
        <translation>Abrir carpeta…</translation>
    </message>
    <message>
        <source>Start: {action}</source>
        <translation>Inicio: {action}</translation>
    </message>
</context>
<context>
    <name>EnhancePanel</name>
    <message>
        <source>Enhance</source>
        <translation>Realzar</translation>
    </message>
    <message>
        <source>One enhanced image has not been exported.</source>
        <translation>Hay una imagen realzada sin exportar.</translation>
    </message>
    <message>
        <source>{count} enhanced images have not been exported.</source>
        <translation>Hay {count} imágenes realzadas sin exportar.</translation>
    </message>
    <message>
        <source>Close without exporting?</source>
        <translation>¿Cerrar sin exportar?</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Cerrar</translation>
    </message>
    <message>
        <source>Go back</source>
        <translation>Volver</translation>
    </message>
    <message>
        <source>Images and export</source>
        <translation>Imágenes y exportación</translation>
    </message>
    <message>
        <source>Queue and images</source>
        <translation>Lista e imágenes</translation>
    </message>
    <message>
        <source>Queue, scrolled</source>
        <translation>Lista, desplazable</translation>
    </message>
</context>
<context>
    <name>ErrorDesk</name>
    <message>
        <source>Something went wrong in the window.</source>
        <translation>Algo ha fallado en la ventana.</translation>
    </message>
    <message>
        <source>We did not foresee this error: {error}.</source>
        <translation>No habíamos previsto este error: {error}.</translation>
    </message>
    <message>
        <source>Your images are not affected. If it happens again, close the window and open it anew.</source>
        <translation>Sus imágenes no se ven afectadas. Si vuelve a ocurrir, cierre la ventana y ábrala de nuevo.</translation>
    </message>
</context>
<context>
    <name>ExportBar</name>
    <message>
        <source>Export</source>
        <translation>Exportar</translation>
    </message>
    <message>
        <source>Export 1 new</source>
        <translation>Exportar 1 nueva</translation>
    </message>
    <message>
        <source>Export {count} new</source>
        <translation>Exportar {count} nuevas</translation>
    </message>
    <message>
        <source>Nothing new to export</source>
        <translation>Nada nuevo que exportar</translation>
    </message>
    <message>
        <source>Export new</source>
        <translation>Exportar las nuevas</translation>
    </message>
    <message>
        <source>Write the enhanced images that are not exported yet</source>
        <translation>Escribir las imágenes realzadas que aún no se han exportado</translation>
    </message>
    <message>
        <source>These images are exported. To write them once more, choose “Export all again” in “File”.</source>
        <translation>Estas imágenes ya se han exportado. Para escribirlas otra vez, elija «Volver a exportar todo» en «Archivo».</translation>
    </message>
    <message>
        <source>Export to</source>
        <translation>Exportar a</translation>
    </message>
    <message>
        <source>Export to, caption</source>
        <translation>Exportar a, rótulo</translation>
    </message>
    <message>
        <source>Folder for exports</source>
        <translation>Carpeta de exportación</translation>
    </message>
    <message>
        <source>What will be in the files</source>
        <translation>Lo que contendrán los archivos</translation>
    </message>
    <message>
        <source>Change…</source>
        <translation>Cambiar…</translation>
    </message>
    <message>
        <source>Change the folder for exports</source>
        <translation>Cambiar la carpeta de exportación</translation>
    </message>
    <message>
        <source>Format of exports</source>
        <translation>Formato de exportación</translation>
    </message>
    <message>
        <source>Options…</source>
        <translation>Opciones…</translation>
    </message>
    <message>
        <source>Options of exports</source>
        <translation>Opciones de exportación</translation>
    </message>
    <message>
        <source>The mark, the image before beside the one after, and the window in DICOM</source>
        <translation>La marca, la imagen de antes junto a la de después, y la ventana en DICOM</translation>
    </message>
    <message>
        <source>Export selected</source>
        <translation>Exportar la selección</translation>
    </message>
    <message>
        <source>Export the selected images</source>
        <translation>Exportar las imágenes seleccionadas</translation>
    </message>
    <message>
        <source>Write the selected images that are enhanced</source>
        <translation>Escribir las imágenes seleccionadas que estén realzadas</translation>
    </message>
    <message>
        <source>Export the new images</source>
        <translation>Exportar las imágenes nuevas</translation>
    </message>
    <message>
        <source>{folder} cannot be found. Exports go to {other} until you choose another folder.</source>
        <translation>No se encuentra {folder}. Se exporta a {other} hasta que elija otra carpeta.</translation>
    </message>
    <message>
        <source>The folder for exports is not there.</source>
        <translation>La carpeta de exportación no está.</translation>
    </message>
    <message>
        <source>Choose a folder for exports</source>
        <translation>Elegir una carpeta de exportación</translation>
    </message>
</context>
<context>
    <name>ExportCommands</name>
    <message>
        <source>None of these images is enhanced yet.</source>
        <translation>Ninguna de estas imágenes está realzada aún.</translation>
    </message>
    <message>
        <source>There is nothing to export.</source>
        <translation>No hay nada que exportar.</translation>
    </message>
</context>
<context>
    <name>ExportOptions</name>
    <message>
        <source>Export options</source>
        <translation>Opciones de exportación</translation>
    </message>
    <message>
        <source>DICOM says it in its attributes: nothing is burned into its pixels.</source>
        <translation>DICOM lo dice en sus atributos: en sus píxeles no se graba nada.</translation>
    </message>
    <message>
        <source>A strip is added below the image and covers none of it. The file has that many more rows.</source>
        <translation>Se añade una franja bajo la imagen que no tapa nada de ella. El archivo tiene esas filas de más.</translation>
    </message>
    <message>
        <source>Burn in the mark “not for diagnosis”</source>
        <translation>Grabar la marca «no apta para el diagnóstico»</translation>
    </message>
    <message>
        <source>The image before beside it</source>
        <translation>La imagen anterior al lado</translation>
    </message>
    <message>
        <source>For files as displayed: before on the left, after on the right, each through its own window.</source>
        <translation>Para archivos como se muestra: el antes a la izquierda y el después a la derecha, cada uno con su propia ventana.</translation>
    </message>
    <message>
        <source>Open with the window as displayed</source>
        <translation>Abrir con la ventana que se muestra</translation>
    </message>
    <message>
        <source>For DICOM: viewers show your window first and can return to that over all of the data.</source>
        <translation>Para DICOM: los visores muestran primero su ventana y pueden volver a la que abarca todos los datos.</translation>
    </message>
    <message>
        <source>About: {option}</source>
        <translation>Sobre: {option}</translation>
    </message>
</context>
<context>
    <name>Exporting</name>
    <message>
        <source>One image was not exported.</source>
        <translation>Una imagen no se ha exportado.</translation>
    </message>
    <message>
        <source>Before it could be written, it was to be enhanced in another way. Export it again after that.</source>
        <translation>Antes de que se pudiera escribir, había que realzarla de otra manera. Vuelva a exportarla después.</translation>
    </message>
    <message>
        <source>{count} images were not exported.</source>
        <translation>{count} imágenes no se han exportado.</translation>
    </message>
    <message>
        <source>Before they could be written, they were to be enhanced in another way. Export them again after that.</source>
        <translation>Antes de que se pudieran escribir, había que realzarlas de otra manera. Vuelva a exportarlas después.</translation>
    </message>
    <message>
        <source>One image was exported.</source>
        <translation>Se ha exportado una imagen.</translation>
    </message>
    <message>
        <source>{count} images were exported.</source>
        <translation>Se han exportado {count} imágenes.</translation>
    </message>
    <message>
        <source>The folder is {folder}. The originals are untouched.</source>
        <translation>La carpeta es {folder}. Los originales no se han tocado.</translation>
    </message>
    <message>
        <source>Show folder</source>
        <translation>Mostrar carpeta</translation>
    </message>
    <message>
        <source>{name} is in the folder already.</source>
        <translation>{name} ya está en la carpeta.</translation>
    </message>
    <message>
        <source>{count} files are in the folder already, {name} among them.</source>
        <translation>Ya hay {count} de estos archivos en la carpeta, entre ellos {name}.</translation>
    </message>
    <message>
        <source>Only the new ones ({count})</source>
        <translation>Solo las nuevas ({count})</translation>
    </message>
    <message>
        <source>Only the new one</source>
        <translation>Solo la nueva</translation>
    </message>
    <message>
        <source>Replace existing files?</source>
        <translation>¿Reemplazar los archivos existentes?</translation>
    </message>
    <message>
        <source>Keep both</source>
        <translation>Conservar ambos</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Reemplazar</translation>
    </message>
    <message>
        <source>Do not export</source>
        <translation>No exportar</translation>
    </message>
</context>
<context>
    <name>FactForm</name>
    <message>
        <source>{title}, all</source>
        <translation>{title}, todo</translation>
    </message>
    <message>
        <source>{fact}, caption</source>
        <translation>{fact}, rótulo</translation>
    </message>
    <message>
        <source>{title}: {fact}</source>
        <translation>{title}: {fact}</translation>
    </message>
</context>
<context>
    <name>FileWindows</name>
    <message>
        <source>Windows of the file</source>
        <translation>Ventanas del archivo</translation>
    </message>
    <message>
        <source>{name}   W {width}   L {level}</source>
        <translation>{name}   W {width}   L {level}</translation>
    </message>
</context>
<context>
    <name>FilterBar</name>
    <message>
        <source>Filter</source>
        <translation>Filtro</translation>
    </message>
    <message>
        <source>{shown} of {total} images are shown; exports and “Apply to all” act on these.</source>
        <translation>Se muestran {shown} de {total} imágenes; las exportaciones y «A todas» actúan sobre ellas.</translation>
    </message>
    <message>
        <source>None of {total} images is found.</source>
        <translation>No se encuentra ninguna de las {total} imágenes.</translation>
    </message>
    <message>
        <source>Filter the list</source>
        <translation>Filtrar la lista</translation>
    </message>
    <message>
        <source>Empty the filter</source>
        <translation>Vaciar el filtro</translation>
    </message>
    <message>
        <source>Filter: patient, file, state…</source>
        <translation>Filtro: paciente, archivo, estado…</translation>
    </message>
    <message>
        <source>Patient, ID, file, study, date, or a state such as “{state}”. Esc shows all images again.</source>
        <translation>Paciente, ID, archivo, estudio, fecha o un estado como «{state}». Esc vuelve a mostrar todas las imágenes.</translation>
    </message>
    <message>
        <source>How many images are shown</source>
        <translation>Cuántas imágenes se muestran</translation>
    </message>
</context>
<context>
    <name>FirstStart</name>
    <message>
        <source>Before you start</source>
        <translation>Antes de empezar</translation>
    </message>
    <message>
        <source>Welcome to Fullfield</source>
        <translation>Le damos la bienvenida a Fullfield</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Idioma</translation>
    </message>
    <message>
        <source>Leave</source>
        <translation>Salir</translation>
    </message>
    <message>
        <source>I understand</source>
        <translation>Entiendo</translation>
    </message>
    <message>
        <source>Fullfield improves the contrast of radiographs at their native resolution, and trains the network that does it on your own images. Everything stays on this computer unless you ask to send it.</source>
        <translation>Fullfield mejora el contraste de las radiografías en su resolución original y entrena con sus propias imágenes la red que lo hace. Todo permanece en este equipo, salvo que usted pida enviarlo.</translation>
    </message>
    <message>
        <source>Your files are never changed: results are written as new files, and say what they are. An enhanced image can show what was hard to see, and it can also make noise look like structure.</source>
        <translation>Sus archivos nunca se modifican: los resultados se escriben como archivos nuevos, y en ellos consta lo que son. Una imagen realzada puede mostrar lo que costaba ver, y también puede hacer que el ruido parezca estructura.</translation>
    </message>
    <message>
        <source>What a result is used for is your decision and your responsibility.</source>
        <translation>El uso que se dé a un resultado es decisión y responsabilidad suya.</translation>
    </message>
</context>
<context>
    <name>FitDialog</name>
    <message>
        <source>Fit it for me</source>
        <translation>Ajústelo por mí</translation>
    </message>
    <message>
        <source>Fit it for me, dialog</source>
        <translation>Ajústelo por mí, diálogo</translation>
    </message>
    <message>
        <source>what is free: {amount}</source>
        <translation>lo que hay libre: {amount}</translation>
    </message>
    <message>
        <source>Write an amount with its unit, for instance 4 GiB.</source>
        <translation>Escriba una cantidad con su unidad, por ejemplo 4 GiB.</translation>
    </message>
    <message>
        <source>Looking for the fastest plan that fits… The first time this takes a few seconds.</source>
        <translation>Buscando el plan más rápido que quepa… La primera vez tarda unos segundos.</translation>
    </message>
    <message>
        <source>This is the plan: {reason}</source>
        <translation>Este es el plan: {reason}</translation>
    </message>
    <message>
        <source>Chosen</source>
        <translation>Elegido</translation>
    </message>
    <message>
        <source>If you would rather leave more memory free:</source>
        <translation>Si prefiere dejar más memoria libre:</translation>
    </message>
    <message>
        <source>Less memory {number}</source>
        <translation>Menos memoria {number}</translation>
    </message>
    <message>
        <source>Not chosen:</source>
        <translation>No elegidos:</translation>
    </message>
    <message>
        <source>Budget</source>
        <translation>Límite de memoria</translation>
    </message>
    <message>
        <source>Also techniques that are not exact</source>
        <translation>También técnicas que no son exactas</translation>
    </message>
    <message>
        <source>Allow techniques that are not exact</source>
        <translation>Permitir técnicas que no son exactas</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>Buscar de nuevo</translation>
    </message>
    <message>
        <source>Look for a plan with this budget</source>
        <translation>Buscar un plan con este límite de memoria</translation>
    </message>
    <message>
        <source>It may take</source>
        <translation>Puede ocupar</translation>
    </message>
    <message>
        <source>Budget, caption</source>
        <translation>Límite de memoria, rótulo</translation>
    </message>
    <message>
        <source>What the planner says</source>
        <translation>Lo que dice el planificador</translation>
    </message>
    <message>
        <source>Plans</source>
        <translation>Planes</translation>
    </message>
    <message>
        <source>All plans</source>
        <translation>Todos los planes</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Cerrar</translation>
    </message>
    <message>
        <source>Close without taking a plan</source>
        <translation>Cerrar sin usar ningún plan</translation>
    </message>
    <message>
        <source>No technique</source>
        <translation>Ninguna técnica</translation>
    </message>
    <message>
        <source>{techniques} (variant with less memory)</source>
        <translation>{techniques} (variante con menos memoria)</translation>
    </message>
    <message>
        <source>{plan}: techniques</source>
        <translation>{plan}: técnicas</translation>
    </message>
    <message>
        <source>{memory}, {factor} × time, {exact}</source>
        <translation>{memory}, tiempo × {factor}, {exact}</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>exacto</translation>
    </message>
    <message>
        <source>not exact</source>
        <translation>no exacto</translation>
    </message>
    <message>
        <source>{plan}: figures</source>
        <translation>{plan}: cifras</translation>
    </message>
    <message>
        <source>Use this</source>
        <translation>Usar este</translation>
    </message>
    <message>
        <source>{plan}: use this</source>
        <translation>{plan}: usar este</translation>
    </message>
    <message>
        <source>Memory against work</source>
        <translation>Memoria frente a trabajo</translation>
    </message>
    <message>
        <source>memory (MiB)</source>
        <translation>memoria (MiB)</translation>
    </message>
    <message>
        <source>work (plain step = 1)</source>
        <translation>trabajo (paso normal = 1)</translation>
    </message>
    <message>
        <source>{memory}: {factor} × the work</source>
        <translation>{memory}: {factor} × el trabajo</translation>
    </message>
    <message>
        <source>Plans that no other one beats in both</source>
        <translation>Planes que ningún otro supera en ambas cosas</translation>
    </message>
    <message>
        <source>Remark {number}</source>
        <translation>Observación {number}</translation>
    </message>
</context>
<context>
    <name>GeneralPage</name>
    <message>
        <source>General</source>
        <translation>General</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Idioma</translation>
    </message>
    <message>
        <source>File names may name patients. The list lies in your own cache, which only you can read; it is not shown while the tags over images are hidden, and is deleted when you switch it off.</source>
        <translation>Los nombres de archivos pueden nombrar a pacientes. La lista está en su propia caché, que solo usted puede leer; no se muestra mientras las etiquetas sobre las imágenes están ocultas y se borra cuando usted la desactiva.</translation>
    </message>
    <message>
        <source>Colours of the window</source>
        <translation>Colores de la ventana</translation>
    </message>
    <message>
        <source>As this computer ({language})</source>
        <translation>El de este equipo ({language})</translation>
    </message>
    <message>
        <source>Colours of the window, choice</source>
        <translation>Colores de la ventana, selección</translation>
    </message>
    <message>
        <source>The language changes when Fullfield is opened again.</source>
        <translation>El idioma cambiará cuando se vuelva a abrir Fullfield.</translation>
    </message>
    <message>
        <source>Keep a list of recent files</source>
        <translation>Guardar una lista de archivos recientes</translation>
    </message>
    <message>
        <source>Clear the list</source>
        <translation>Vaciar la lista</translation>
    </message>
    <message>
        <source>Clear the list of recent files</source>
        <translation>Vaciar la lista de archivos recientes</translation>
    </message>
    <message>
        <source>{setting}, caption</source>
        <translation>{setting}, rótulo</translation>
    </message>
</context>
<context>
    <name>Grading</name>
    <message>
        <source>Grade the new model blind, once the images have been enhanced.</source>
        <translation>Valore el modelo nuevo a ciegas cuando las imágenes estén mejoradas.</translation>
    </message>
    <message>
        <source>Each is shown as it is enhanced now and with the new model, on sides that nobody knows.</source>
        <translation>Cada una se muestra como se mejora ahora y con el modelo nuevo, en lados que nadie conoce.</translation>
    </message>
    <message>
        <source>Grade blind…</source>
        <translation>Valorar a ciegas…</translation>
    </message>
    <message>
        <source>The grading is paused. Resume it from the same menu.</source>
        <translation>La valoración está en pausa. Reanúdela desde el mismo menú.</translation>
    </message>
</context>
<context>
    <name>GradingDialog</name>
    <message>
        <source>Grade blind</source>
        <translation>Valorar a ciegas</translation>
    </message>
    <message>
        <source>Blind grading</source>
        <translation>Valoración a ciegas</translation>
    </message>
    <message>
        <source>Steps of the grading</source>
        <translation>Pasos de la valoración</translation>
    </message>
    <message>
        <source>Delete this grading?</source>
        <translation>¿Eliminar esta valoración?</translation>
    </message>
    <message>
        <source>Its answers are lost. Results that were written stay where they are.</source>
        <translation>Sus respuestas se pierden. Los resultados ya escritos se conservan donde están.</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Eliminar</translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation>Conservarla</translation>
    </message>
    <message>
        <source>It is told which image was which; this reading takes no more answers.</source>
        <translation>Se revelará cuál era cada imagen; esta lectura no admitirá más respuestas.</translation>
    </message>
    <message>
        <source>{left} of {count} pairs are not answered wholly.</source>
        <translation>Faltan respuestas en {left} de {count} pares.</translation>
    </message>
    <message>
        <source>End the grading and show the result?</source>
        <translation>¿Terminar la valoración y mostrar el resultado?</translation>
    </message>
    <message>
        <source>Show result</source>
        <translation>Mostrar el resultado</translation>
    </message>
    <message>
        <source>Go on grading</source>
        <translation>Seguir valorando</translation>
    </message>
    <message>
        <source>Go back</source>
        <translation>Volver</translation>
    </message>
    <message>
        <source>Another reader</source>
        <translation>Otro lector</translation>
    </message>
    <message>
        <source>Initials of the reader (may stay empty)</source>
        <translation>Iniciales del lector (opcional)</translation>
    </message>
</context>
<context>
    <name>Help</name>
    <message>
        <source>Two-minute tour</source>
        <translation>Visita de dos minutos</translation>
    </message>
    <message>
        <source>Two-minute tour of Fullfield</source>
        <translation>Visita de dos minutos a Fullfield</translation>
    </message>
    <message>
        <source>Chapters</source>
        <translation>Capítulos</translation>
    </message>
    <message>
        <source>Text of the chapter</source>
        <translation>Texto del capítulo</translation>
    </message>
    <message>
        <source>Chapters and text</source>
        <translation>Capítulos y texto</translation>
    </message>
</context>
<context>
    <name>HistogramPlot</name>
    <message>
        <source>Contrast before and after</source>
        <translation>Contraste antes y después</translation>
    </message>
    <message>
        <source>Local contrast in {region}</source>
        <translation>Contraste local en {region}</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Antes</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Después</translation>
    </message>
    <message>
        <source>{side} {contrast} %</source>
        <translation>{side} {contrast} %</translation>
    </message>
    <message>
        <source>black</source>
        <translation>negro</translation>
    </message>
    <message>
        <source>grey levels as shown</source>
        <translation>niveles de gris mostrados</translation>
    </message>
    <message>
        <source>white</source>
        <translation>blanco</translation>
    </message>
    <message>
        <source>Local contrast</source>
        <translation>Contraste local</translation>
    </message>
    <message>
        <source>How much the grey levels on the screen differ close by: the mean of their standard deviations in blocks of 8 × 8 pixels of the image at some 500 pixels, in percent of black to white.</source>
        <translation>Cuánto difieren entre sí los niveles de gris vecinos en la pantalla: la media de sus desviaciones estándar en bloques de 8 × 8 píxeles de la imagen reducida a unos 500 píxeles, en porcentaje de negro a blanco.</translation>
    </message>
    <message>
        <source>Local contrast, caption</source>
        <translation>Contraste local, rótulo</translation>
    </message>
    <message>
        <source>Contrast before</source>
        <translation>Contraste antes</translation>
    </message>
    <message>
        <source>Contrast after</source>
        <translation>Contraste después</translation>
    </message>
    <message>
        <source>Contrast in numbers</source>
        <translation>Contraste en números</translation>
    </message>
</context>
<context>
    <name>ImageRow</name>
    <message>
        <source>{title}, side by side</source>
        <translation>{title}, en paralelo</translation>
    </message>
</context>
<context>
    <name>Improving</name>
    <message>
        <source>Choose the folder of your own images</source>
        <translation>Elegir la carpeta de sus propias imágenes</translation>
    </message>
    <message>
        <source>Folder of images to improve a model with</source>
        <translation>Carpeta de imágenes para mejorar un modelo</translation>
    </message>
</context>
<context>
    <name>KeepDialog</name>
    <message>
        <source>Keep this model?</source>
        <translation>¿Guardar este modelo?</translation>
    </message>
    <message>
        <source>Name of the model</source>
        <translation>Nombre del modelo</translation>
    </message>
    <message>
        <source>Name among your models</source>
        <translation>Nombre entre sus modelos</translation>
    </message>
    <message>
        <source>Name of the model, caption</source>
        <translation>Nombre del modelo, rótulo</translation>
    </message>
    <message>
        <source>Keep the model</source>
        <translation>Guardar el modelo</translation>
    </message>
</context>
<context>
    <name>KeysEditor</name>
    <message>
        <source>Keys</source>
        <translation>Teclas</translation>
    </message>
    <message>
        <source>Find an action or a key</source>
        <translation>Buscar una acción o una tecla</translation>
    </message>
    <message>
        <source>Actions and their keys</source>
        <translation>Acciones y sus teclas</translation>
    </message>
    <message>
        <source>New key</source>
        <translation>Tecla nueva</translation>
    </message>
    <message>
        <source>New key, caption</source>
        <translation>Tecla nueva, rótulo</translation>
    </message>
    <message>
        <source>Press the new key here</source>
        <translation>Pulse aquí la tecla nueva</translation>
    </message>
    <message>
        <source>Use it</source>
        <translation>Usar</translation>
    </message>
    <message>
        <source>Add it</source>
        <translation>Añadir</translation>
    </message>
    <message>
        <source>No key</source>
        <translation>Sin tecla</translation>
    </message>
    <message>
        <source>As shipped</source>
        <translation>Restablecer</translation>
    </message>
    <message>
        <source>All as shipped</source>
        <translation>Restablecer todas</translation>
    </message>
    <message>
        <source>Use the new key in place of the others</source>
        <translation>Usar la tecla nueva en lugar de las demás</translation>
    </message>
    <message>
        <source>Add the new key to the others</source>
        <translation>Añadir la tecla nueva a las demás</translation>
    </message>
    <message>
        <source>Take all keys of this action away</source>
        <translation>Quitar todas las teclas de esta acción</translation>
    </message>
    <message>
        <source>Give this action its shipped keys</source>
        <translation>Devolver a esta acción sus teclas originales</translation>
    </message>
    <message>
        <source>Give all actions their shipped keys</source>
        <translation>Devolver a todas las acciones sus teclas originales</translation>
    </message>
    <message>
        <source>Why not: {reason}</source>
        <translation>Por qué no: {reason}</translation>
    </message>
</context>
<context>
    <name>KeysModel</name>
    <message>
        <source>Action</source>
        <translation>Acción</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Teclas</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>Página</translation>
    </message>
</context>
<context>
    <name>LabelDialog</name>
    <message>
        <source>Name and notes of the run</source>
        <translation>Nombre y notas del entrenamiento</translation>
    </message>
    <message>
        <source>such as: knees, 2048 pixels</source>
        <translation>por ejemplo: rodillas, 2048 píxeles</translation>
    </message>
    <message>
        <source>Name of the run, to change</source>
        <translation>Nombre del entrenamiento, modificable</translation>
    </message>
    <message>
        <source>Notes of the run, to change</source>
        <translation>Notas del entrenamiento, modificables</translation>
    </message>
    <message>
        <source>Save or cancel</source>
        <translation>Guardar o cancelar</translation>
    </message>
    <message>
        <source>Save the name and notes</source>
        <translation>Guardar el nombre y las notas</translation>
    </message>
    <message>
        <source>Leave the name and notes</source>
        <translation>Dejar el nombre y las notas como están</translation>
    </message>
    <message>
        <source>Write no names of patients here: a report of the run holds both.</source>
        <translation>No escriba aquí nombres de pacientes: el informe del entrenamiento contiene ambos campos.</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Nombre</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notas</translation>
    </message>
    <message>
        <source>{field}, caption</source>
        <translation>{field}, rótulo</translation>
    </message>
</context>
<context>
    <name>LeastRow</name>
    <message>
        <source>Where machines are lost</source>
        <translation>Donde se pierden máquinas</translation>
    </message>
    <message>
        <source>Goes on with at least</source>
        <translation>Continúa con al menos</translation>
    </message>
    <message>
        <source>Goes on with at least so many machines, caption</source>
        <translation>Continúa con al menos tantas máquinas, rótulo</translation>
    </message>
    <message>
        <source>Goes on with at least so many machines</source>
        <translation>Continúa con al menos tantas máquinas</translation>
    </message>
    <message>
        <source>Of how many machines</source>
        <translation>De cuántas máquinas</translation>
    </message>
    <message>
        <source>What happens where a machine is lost</source>
        <translation>Qué ocurre si se pierde una máquina</translation>
    </message>
    <message>
        <source>of {count} machines</source>
        <translation>de {count} máquinas</translation>
    </message>
    <message>
        <source>Where one is lost, the training waits until it is back.</source>
        <translation>Si se pierde una, el entrenamiento espera hasta que vuelva.</translation>
    </message>
    <message>
        <source>Where one is lost, the others go on from what was saved last.</source>
        <translation>Si se pierde una, las demás continúan desde lo último que se guardó.</translation>
    </message>
    <message>
        <source>Where one is lost, the others go on from what was saved last; with fewer than {count} the training waits.</source>
        <translation>Si se pierde una, las demás continúan desde lo último que se guardó; con menos de {count} el entrenamiento espera.</translation>
    </message>
    <message>
        <source>this computer</source>
        <translation>este equipo</translation>
    </message>
    <message>
        <source>Without {machine}, which leads, it ends, and can be resumed.</source>
        <translation>Sin {machine}, que dirige, termina, y se puede reanudar.</translation>
    </message>
</context>
<context>
    <name>LinkedPair</name>
    <message>
        <source>The two images</source>
        <translation>Las dos imágenes</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>Izquierda</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>Derecha</translation>
    </message>
    <message>
        <source>Image on the left</source>
        <translation>Imagen de la izquierda</translation>
    </message>
    <message>
        <source>Image on the right</source>
        <translation>Imagen de la derecha</translation>
    </message>
</context>
<context>
    <name>LinkedView</name>
    <message>
        <source>{zoom} %</source>
        <translation>{zoom} %</translation>
    </message>
</context>
<context>
    <name>ListFilter</name>
    <message>
        <source>not exported</source>
        <translation>sin exportar</translation>
    </message>
</context>
<context>
    <name>ListSide</name>
    <message>
        <source>List and comparison of runs</source>
        <translation>Lista y comparación de entrenamientos</translation>
    </message>
    <message>
        <source>Select several runs to compare them.</source>
        <translation>Seleccione varios entrenamientos para compararlos.</translation>
    </message>
    <message>
        <source>How runs are compared</source>
        <translation>Cómo se comparan los entrenamientos</translation>
    </message>
    <message>
        <source>List of runs with its buttons</source>
        <translation>Lista de entrenamientos con sus botones</translation>
    </message>
    <message>
        <source>List above, comparison below</source>
        <translation>Lista arriba, comparación abajo</translation>
    </message>
    <message>
        <source>{count} of them are compared, the first ones.</source>
        <translation>Se comparan {count}, los primeros.</translation>
    </message>
</context>
<context>
    <name>LookingPage</name>
    <message>
        <source>Images to compare</source>
        <translation>Imágenes que comparar</translation>
    </message>
    <message>
        <source>In use now: {model}</source>
        <translation>En uso ahora: {model}</translation>
    </message>
    <message>
        <source>Instead: {model}</source>
        <translation>En su lugar: {model}</translation>
    </message>
    <message>
        <source>Looking for images of this body part…</source>
        <translation>Buscando imágenes de esta región anatómica…</translation>
    </message>
    <message>
        <source>What is warned of, and the choice</source>
        <translation>De qué se avisa, y la elección</translation>
    </message>
    <message>
        <source>Which image</source>
        <translation>Qué imagen</translation>
    </message>
    <message>
        <source>How many files were looked at</source>
        <translation>Cuántos archivos se han mirado</translation>
    </message>
    <message>
        <source>now</source>
        <translation>ahora</translation>
    </message>
    <message>
        <source>instead</source>
        <translation>en su lugar</translation>
    </message>
    <message>
        <source>What is shown {side}</source>
        <translation>Qué se muestra {side}</translation>
    </message>
    <message>
        <source>Warned of {side}</source>
        <translation>De qué se avisa {side}</translation>
    </message>
    <message>
        <source>How many images are warned of</source>
        <translation>En cuántas imágenes hay avisos</translation>
    </message>
    <message>
        <source>Keys: Enter next, Backspace back, F fit, + − zoom, I invert; the wheel zooms both.</source>
        <translation>Teclas: Intro siguiente, Retroceso atrás, F ajustar, + − ampliar, I invertir; la rueda amplía ambas.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Reintentar</translation>
    </message>
    <message>
        <source>Try to make the image again</source>
        <translation>Intentar crear la imagen de nuevo</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Atrás</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Siguiente</translation>
    </message>
    <message>
        <source>Previous image</source>
        <translation>Imagen anterior</translation>
    </message>
    <message>
        <source>Next image</source>
        <translation>Imagen siguiente</translation>
    </message>
    <message>
        <source>Other images…</source>
        <translation>Otras imágenes…</translation>
    </message>
    <message>
        <source>Compare on other images</source>
        <translation>Comparar con otras imágenes</translation>
    </message>
    <message>
        <source>Use it</source>
        <translation>Usarlo</translation>
    </message>
    <message>
        <source>Keep the one in use</source>
        <translation>Seguir con lo actual</translation>
    </message>
    <message>
        <source>{recipe}. Nothing is warned of.</source>
        <translation>{recipe}. Sin avisos.</translation>
    </message>
    <message>
        <source>Image {place} of {count}</source>
        <translation>Imagen {place} de {count}</translation>
    </message>
    <message>
        <source>Files looked at: {looked} of {total}.</source>
        <translation>Archivos mirados: {looked} de {total}.</translation>
    </message>
    <message>
        <source>Images seen: {seen}. Warned of or not made: {now} as enhanced now, {new} as they would be.</source>
        <translation>Imágenes vistas: {seen}. Con avisos o sin resultado: {now} como se realzan ahora, {new} como se realzarían.</translation>
    </message>
    <message>
        <source>None of these files shows this body part: {part}. Choose other images.</source>
        <translation>Ninguno de estos archivos muestra esta región anatómica: {part}. Elija otras imágenes.</translation>
    </message>
</context>
<context>
    <name>MachineDialog</name>
    <message>
        <source>Another machine</source>
        <translation>Otra máquina</translation>
    </message>
    <message>
        <source>Machine, dialog</source>
        <translation>Máquina, diálogo</translation>
    </message>
    <message>
        <source>Name of the machine</source>
        <translation>Nombre de la máquina</translation>
    </message>
    <message>
        <source>Address of the machine</source>
        <translation>Dirección de la máquina</translation>
    </message>
    <message>
        <source>Command that calls Fullfield there</source>
        <translation>Comando que llama allí a Fullfield</translation>
    </message>
    <message>
        <source>such as: gpu</source>
        <translation>por ejemplo: gpu</translation>
    </message>
    <message>
        <source>user@host, or as ssh knows it</source>
        <translation>usuario@equipo, o como lo conoce ssh</translation>
    </message>
    <message>
        <source>Images may go there without being asked each time</source>
        <translation>Las imágenes pueden ir allí sin preguntar cada vez</translation>
    </message>
    <message>
        <source>Images may go there</source>
        <translation>Las imágenes pueden ir allí</translation>
    </message>
    <message>
        <source>What the machine says</source>
        <translation>Lo que dice la máquina</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>Probar</translation>
    </message>
    <message>
        <source>Test the machine</source>
        <translation>Probar la máquina</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>Quitar…</translation>
    </message>
    <message>
        <source>Remove the machine</source>
        <translation>Quitar la máquina</translation>
    </message>
    <message>
        <source>Keep or leave</source>
        <translation>Guardar o dejar</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Añadir</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Guardar</translation>
    </message>
    <message>
        <source>Keep the machine</source>
        <translation>Guardar la máquina</translation>
    </message>
    <message>
        <source>Leave the machine as it is</source>
        <translation>Dejar la máquina como está</translation>
    </message>
    <message>
        <source>A Linux machine that your ssh reaches with a key, with the same versions of Fullfield and PyTorch. Connect to it once with ssh yourself: Fullfield accepts no unknown host key.</source>
        <translation>Una máquina Linux a la que su ssh llega con una clave, con las mismas versiones de Fullfield y PyTorch. Conéctese a ella una vez con ssh: Fullfield no acepta ninguna clave de equipo desconocida.</translation>
    </message>
    <message>
        <source>Which machines can be added</source>
        <translation>Qué máquinas se pueden añadir</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Nombre</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Dirección</translation>
    </message>
    <message>
        <source>How Fullfield is called there</source>
        <translation>Cómo se llama allí a Fullfield</translation>
    </message>
    <message>
        <source>{field}, caption</source>
        <translation>{field}, rótulo</translation>
    </message>
    <message>
        <source>There is a machine of this name already.</source>
        <translation>Ya hay una máquina con este nombre.</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Pages</source>
        <translation>Páginas</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>Página</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Ventana</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Estado</translation>
    </message>
    <message>
        <source>What the worker says</source>
        <translation>Lo que dice el proceso de trabajo</translation>
    </message>
    <message>
        <source>What this program is not</source>
        <translation>Lo que este programa no es</translation>
    </message>
    <message>
        <source>Page {title}, scrolled</source>
        <translation>Página {title}, desplazable</translation>
    </message>
    <message>
        <source>Starting the worker…</source>
        <translation>Iniciando el proceso de trabajo…</translation>
    </message>
</context>
<context>
    <name>MeasurePanel</name>
    <message>
        <source>Measure</source>
        <translation>Medir</translation>
    </message>
    <message>
        <source>Measure: {action}</source>
        <translation>Medir: {action}</translation>
    </message>
    <message>
        <source>Length: {length}</source>
        <translation>Longitud: {length}</translation>
    </message>
    <message>
        <source>Draw on an image: two regions for the contrast between them, or a line.</source>
        <translation>Dibuje sobre una imagen: dos regiones para el contraste entre ellas, o una línea.</translation>
    </message>
    <message>
        <source>Regions before and after</source>
        <translation>Regiones antes y después</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Antes</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Después</translation>
    </message>
    <message>
        <source>After/before</source>
        <translation>Desp./antes</translation>
    </message>
    <message>
        <source>Areas and length</source>
        <translation>Áreas y longitud</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Eliminar</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Copiar</translation>
    </message>
    <message>
        <source>Delete the chosen region or line</source>
        <translation>Eliminar la región o línea elegida</translation>
    </message>
    <message>
        <source>Copy the measurements</source>
        <translation>Copiar las mediciones</translation>
    </message>
    <message>
        <source>Copy the numbers for a spreadsheet or a letter</source>
        <translation>Copiar los números para una hoja de cálculo o un informe</translation>
    </message>
    <message>
        <source>Save CSV…</source>
        <translation>Guardar CSV…</translation>
    </message>
    <message>
        <source>Save the measurements</source>
        <translation>Guardar las mediciones</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>Tablas (*.csv)</translation>
    </message>
    <message>
        <source>Save the measurements to a file</source>
        <translation>Guardar las mediciones en un archivo</translation>
    </message>
</context>
<context>
    <name>MemoryBar</name>
    <message>
        <source>Memory by kind</source>
        <translation>Memoria por tipos</translation>
    </message>
    <message>
        <source>the card has {amount}</source>
        <translation>la tarjeta tiene {amount}</translation>
    </message>
    <message>
        <source>free: {amount}</source>
        <translation>libre: {amount}</translation>
    </message>
    <message>
        <source>budget: {amount}</source>
        <translation>límite: {amount}</translation>
    </message>
</context>
<context>
    <name>MessageBar</name>
    <message>
        <source>Message</source>
        <translation>Mensaje</translation>
    </message>
    <message>
        <source>Message, in short</source>
        <translation>Mensaje, en resumen</translation>
    </message>
    <message>
        <source>Message, in full</source>
        <translation>Mensaje, completo</translation>
    </message>
    <message>
        <source>Do what the message proposes</source>
        <translation>Hacer lo que propone el mensaje</translation>
    </message>
    <message>
        <source>Do the other thing that the message proposes</source>
        <translation>Hacer lo otro que propone el mensaje</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Descartar</translation>
    </message>
    <message>
        <source>Dismiss the message</source>
        <translation>Descartar el mensaje</translation>
    </message>
</context>
<context>
    <name>ModelsDialog</name>
    <message>
        <source>Models</source>
        <translation>Modelos</translation>
    </message>
    <message>
        <source>Back to {model}</source>
        <translation>Volver a: {model}</translation>
    </message>
    <message>
        <source>the preset</source>
        <translation>ajuste predefinido</translation>
    </message>
    <message>
        <source>It is a part of the program and cannot be removed.</source>
        <translation>Es parte del programa y no se puede eliminar.</translation>
    </message>
    <message>
        <source>It is an ensemble, and a training begins from one network: choose the model of a member.</source>
        <translation>Es un conjunto, y un entrenamiento parte de una sola red: elija el modelo de un miembro.</translation>
    </message>
    <message>
        <source>{part} (the model&apos;s file has been changed: a preset is used)</source>
        <translation>{part} (el archivo del modelo ha cambiado: se usa un preajuste)</translation>
    </message>
    <message>
        <source>{part} (the file of {model} has been changed: a preset is used)</source>
        <translation>{part} (el archivo de {model} ha cambiado: se usa un preajuste)</translation>
    </message>
    <message>
        <source>{part} (now: {model})</source>
        <translation>{part} (ahora: {model})</translation>
    </message>
    <message>
        <source>{model} (not worth using)</source>
        <translation>{model} (no merece la pena usarlo)</translation>
    </message>
    <message>
        <source>Take it for: {part}</source>
        <translation>Usarlo para: {part}</translation>
    </message>
    <message>
        <source>Back to the one before: {part}</source>
        <translation>Volver al anterior: {part}</translation>
    </message>
    <message>
        <source>Compare…</source>
        <translation>Comparar…</translation>
    </message>
    <message>
        <source>Look at both on your own images before you go back.</source>
        <translation>Mire ambos en sus propias imágenes antes de volver atrás.</translation>
    </message>
    <message>
        <source>Compare with the one before: {part}</source>
        <translation>Comparar con lo anterior: {part}</translation>
    </message>
    <message>
        <source>Import a model</source>
        <translation>Importar un modelo</translation>
    </message>
    <message>
        <source>Import a model, file</source>
        <translation>Importar un modelo, archivo</translation>
    </message>
    <message>
        <source>Models (*{suffix})</source>
        <translation>Modelos (*{suffix})</translation>
    </message>
    <message>
        <source>Export the model</source>
        <translation>Exportar el modelo</translation>
    </message>
    <message>
        <source>Export the model, file</source>
        <translation>Exportar el modelo, archivo</translation>
    </message>
    <message>
        <source>Remove the model?</source>
        <translation>¿Eliminar el modelo?</translation>
    </message>
    <message>
        <source>“{model}” is deleted from your models. The run that made it stays as it is.</source>
        <translation>«{model}» se elimina de sus modelos. El entrenamiento que lo produjo queda como está.</translation>
    </message>
    <message>
        <source>Remove the model</source>
        <translation>Eliminar el modelo</translation>
    </message>
    <message>
        <source>Go back</source>
        <translation>Volver</translation>
    </message>
    <message>
        <source>Your models</source>
        <translation>Sus modelos</translation>
    </message>
    <message>
        <source>No model yet. Import one, or keep the model of a run that has been trained.</source>
        <translation>Aún no hay modelos. Importe uno, o guarde el modelo de un entrenamiento terminado.</translation>
    </message>
    <message>
        <source>Why nothing is listed</source>
        <translation>Por qué la lista está vacía</translation>
    </message>
    <message>
        <source>Card of the model</source>
        <translation>Ficha del modelo</translation>
    </message>
    <message>
        <source>Card and body parts</source>
        <translation>Ficha y regiones anatómicas</translation>
    </message>
    <message>
        <source>Card</source>
        <translation>Ficha</translation>
    </message>
    <message>
        <source>Take it for</source>
        <translation>Usarlo para</translation>
    </message>
    <message>
        <source>The chosen model</source>
        <translation>El modelo elegido</translation>
    </message>
    <message>
        <source>Models and card</source>
        <translation>Modelos y ficha</translation>
    </message>
    <message>
        <source>Improve with our own images…</source>
        <translation>Mejorar con nuestras imágenes…</translation>
    </message>
    <message>
        <source>Train the chosen map network, or an untrained one where none is chosen, on your reviewed images in some ten minutes. It is offered for use only if it is better than before.</source>
        <translation>Entrenar la red de mapas elegida, o una sin entrenar si no se elige ninguna, con sus imágenes revisadas en unos diez minutos. Solo se ofrece para su uso si es mejor que lo anterior.</translation>
    </message>
    <message>
        <source>Improve a model with our own images</source>
        <translation>Mejorar un modelo con nuestras imágenes</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>Importar…</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportar…</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>Eliminar…</translation>
    </message>
    <message>
        <source>Close the models</source>
        <translation>Cerrar los modelos</translation>
    </message>
    <message>
        <source>Body parts of the model</source>
        <translation>Regiones anatómicas del modelo</translation>
    </message>
    <message>
        <source>Where “Automatic” is chosen, this model enhances images of these body parts instead of a preset, if they are of its kind.</source>
        <translation>Donde esté elegido «Automático», este modelo realza las imágenes de estas regiones anatómicas en lugar de un ajuste predefinido, si son de su tipo.</translation>
    </message>
    <message>
        <source>What a default does</source>
        <translation>Qué hace una elección por defecto</translation>
    </message>
    <message>
        <source>{action} a model</source>
        <translation>{action} un modelo</translation>
    </message>
</context>
<context>
    <name>MoreDialog</name>
    <message>
        <source>More settings</source>
        <translation>Más ajustes</translation>
    </message>
    <message>
        <source>More settings, dialog</source>
        <translation>Más ajustes, diálogo</translation>
    </message>
    <message>
        <source>More settings, form</source>
        <translation>Más ajustes, formulario</translation>
    </message>
    <message>
        <source>More settings, list</source>
        <translation>Más ajustes, lista</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Cerrar</translation>
    </message>
    <message>
        <source>Close the settings</source>
        <translation>Cerrar los ajustes</translation>
    </message>
    <message>
        <source>{field}, title</source>
        <translation>{field}, título</translation>
    </message>
    <message>
        <source>{field}, in a sentence</source>
        <translation>{field}, en una frase</translation>
    </message>
    <message>
        <source>{field}, what is wrong</source>
        <translation>{field}, qué está mal</translation>
    </message>
    <message>
        <source>on</source>
        <translation>activado</translation>
    </message>
    <message>
        <source>First weights</source>
        <translation>Pesos iniciales</translation>
    </message>
    <message>
        <source>Weights (*.safetensors *.pth)</source>
        <translation>Pesos (*.safetensors *.pth)</translation>
    </message>
    <message>
        <source>Choose the file of first weights</source>
        <translation>Elegir el archivo de pesos iniciales</translation>
    </message>
</context>
<context>
    <name>NoRuns</name>
    <message>
        <source>No run yet</source>
        <translation>Aún no hay entrenamientos</translation>
    </message>
    <message>
        <source>No training yet</source>
        <translation>Aún no hay entrenamientos</translation>
    </message>
    <message>
        <source>Trainings that you start are kept here, with their curves, memory, images and models.</source>
        <translation>Los entrenamientos que inicie se guardan aquí, con sus curvas, su memoria, sus imágenes y sus modelos.</translation>
    </message>
    <message>
        <source>No training yet, title</source>
        <translation>Aún no hay entrenamientos, título</translation>
    </message>
    <message>
        <source>What is kept here</source>
        <translation>Lo que se guarda aquí</translation>
    </message>
    <message>
        <source>Set up a training</source>
        <translation>Preparar un entrenamiento</translation>
    </message>
    <message>
        <source>Models…</source>
        <translation>Modelos…</translation>
    </message>
    <message>
        <source>Show the models</source>
        <translation>Mostrar los modelos</translation>
    </message>
</context>
<context>
    <name>NodesDesk</name>
    <message>
        <source>Wait until {machine} has answered.</source>
        <translation>Espere hasta que {machine} haya respondido.</translation>
    </message>
    <message>
        <source>Trainings that run there go on, and are not seen here until it is added again under this name. What still lies there of trainings that are not complete is deleted by the command fullfield node forget, there.</source>
        <translation>Los entrenamientos que se ejecutan allí continúan, y no se ven aquí hasta que se añada de nuevo con este nombre. Lo que aún queda allí de entrenamientos sin completar lo borra el comando fullfield node forget, allí.</translation>
    </message>
    <message>
        <source>Remove it</source>
        <translation>Quitarla</translation>
    </message>
    <message>
        <source>Remove {machine} from the list?</source>
        <translation>¿Quitar {machine} de la lista?</translation>
    </message>
    <message>
        <source>Leave it</source>
        <translation>Dejarla</translation>
    </message>
</context>
<context>
    <name>NoticeList</name>
    <message>
        <source>What the run has said</source>
        <translation>Lo que ha comunicado el entrenamiento</translation>
    </message>
</context>
<context>
    <name>OfferPage</name>
    <message>
        <source>What would change</source>
        <translation>Qué cambiaría</translation>
    </message>
    <message>
        <source>Looking for your images…</source>
        <translation>Buscando sus imágenes…</translation>
    </message>
    <message>
        <source>No images of yours are known here: choose a folder of them.</source>
        <translation>Aquí no se conoce ninguna imagen suya: elija una carpeta que las contenga.</translation>
    </message>
    <message>
        <source>1 file of yours is known.</source>
        <translation>Se conoce 1 archivo suyo.</translation>
    </message>
    <message>
        <source>{count} files of yours are known.</source>
        <translation>Se conocen {count} archivos suyos.</translation>
    </message>
    <message>
        <source>{part}: use {model}?</source>
        <translation>{part}: ¿usar {model}?</translation>
    </message>
    <message>
        <source>Body part and what it would be enhanced with</source>
        <translation>Región anatómica y con qué se realzaría</translation>
    </message>
    <message>
        <source>From now on “Automatic” would take {new} for these images. In use now: {now}.</source>
        <translation>A partir de ahora, «Automático» usaría {new} para estas imágenes. En uso ahora: {now}.</translation>
    </message>
    <message>
        <source>What would be in use, and what is</source>
        <translation>Qué se usaría, y qué se usa</translation>
    </message>
    <message>
        <source>Look first at up to {count} of your own images of this body part, as they are enhanced now and as they would be, side by side. Looking changes nothing, and nothing is written beside your images.</source>
        <translation>Mire antes hasta {count} imágenes suyas de esta región anatómica, una junto a otra: como se realzan ahora y como se realzarían. Mirar no cambia nada, y no se escribe nada junto a sus imágenes.</translation>
    </message>
    <message>
        <source>What is compared</source>
        <translation>Qué se compara</translation>
    </message>
    <message>
        <source>Which images are known</source>
        <translation>Qué imágenes se conocen</translation>
    </message>
    <message>
        <source>Compare side by side</source>
        <translation>Comparar una junto a otra</translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation>Elegir una carpeta…</translation>
    </message>
    <message>
        <source>Choose a folder of images to compare on</source>
        <translation>Elegir una carpeta de imágenes con las que comparar</translation>
    </message>
    <message>
        <source>Use it without looking</source>
        <translation>Usarlo sin mirar</translation>
    </message>
    <message>
        <source>Keep the one in use</source>
        <translation>Seguir con lo actual</translation>
    </message>
    <message>
        <source>Keep the one in use, without looking</source>
        <translation>Seguir con lo actual, sin mirar</translation>
    </message>
    <message>
        <source>Choose a folder of your own images</source>
        <translation>Elija una carpeta con imágenes suyas</translation>
    </message>
    <message>
        <source>Folder of images to compare on</source>
        <translation>Carpeta de imágenes con las que comparar</translation>
    </message>
</context>
<context>
    <name>Offering</name>
    <message>
        <source>Choose a model</source>
        <translation>Elegir un modelo</translation>
    </message>
    <message>
        <source>Fullfield models (*.safetensors)</source>
        <translation>Modelos de Fullfield (*.safetensors)</translation>
    </message>
    <message>
        <source>Choose a model file</source>
        <translation>Elegir un archivo de modelo</translation>
    </message>
    <message>
        <source>Use this model?</source>
        <translation>¿Usar este modelo?</translation>
    </message>
    <message>
        <source>Use it</source>
        <translation>Usarlo</translation>
    </message>
</context>
<context>
    <name>OpenDialogs</name>
    <message>
        <source>Open radiographs</source>
        <translation>Abrir radiografías</translation>
    </message>
    <message>
        <source>Open a folder of radiographs</source>
        <translation>Abrir una carpeta de radiografías</translation>
    </message>
</context>
<context>
    <name>Opening</name>
    <message>
        <source>All of these images are in the list already.</source>
        <translation>Todas estas imágenes están ya en la lista.</translation>
    </message>
    <message>
        <source>There are no files in it.</source>
        <translation>No contiene archivos.</translation>
    </message>
    <message>
        <source>Nothing new was opened.</source>
        <translation>No se ha abierto nada nuevo.</translation>
    </message>
    <message>
        <source>1 other file passed over.</source>
        <translation>Se pasó por alto 1 archivo de otro tipo.</translation>
    </message>
    <message>
        <source>{count} other files passed over.</source>
        <translation>Se pasaron por alto {count} archivos de otro tipo.</translation>
    </message>
    <message>
        <source>A slow drive takes its time. The images that are in the list can be worked on meanwhile.</source>
        <translation>Una unidad lenta tarda lo suyo. Mientras tanto se puede trabajar con las imágenes de la lista.</translation>
    </message>
    <message>
        <source>Looking for radiographs…</source>
        <translation>Buscando radiografías…</translation>
    </message>
</context>
<context>
    <name>OptionsForm</name>
    <message>
        <source>{technique}: options</source>
        <translation>{technique}: opciones</translation>
    </message>
    <message>
        <source>{technique}: {option}, caption</source>
        <translation>{technique}: {option}, rótulo</translation>
    </message>
</context>
<context>
    <name>Overlay</name>
    <message>
        <source>Runs compared</source>
        <translation>Comparación de entrenamientos</translation>
    </message>
    <message>
        <source>These runs have left no image of the same radiograph.</source>
        <translation>Estos entrenamientos no han dejado imágenes de una misma radiografía.</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Antes</translation>
    </message>
    <message>
        <source>{run}: epoch {epoch}, loss {loss}</source>
        <translation>{run}: época {epoch}, pérdida {loss}</translation>
    </message>
    <message>
        <source>Validation loss of runs</source>
        <translation>Pérdida de validación de los entrenamientos</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>épocas</translation>
    </message>
    <message>
        <source>100·(1 − MS-SSIM)</source>
        <translation>100·(1 − MS-SSIM)</translation>
    </message>
    <message>
        <source>Memory of runs</source>
        <translation>Memoria de los entrenamientos</translation>
    </message>
    <message>
        <source>time of training</source>
        <translation>tiempo de entrenamiento</translation>
    </message>
    <message>
        <source>GiB</source>
        <translation>GiB</translation>
    </message>
    <message>
        <source>One radiograph of two runs</source>
        <translation>Una radiografía de dos entrenamientos</translation>
    </message>
    <message>
        <source>Radiograph of both before</source>
        <translation>Radiografía de ambos, antes</translation>
    </message>
    <message>
        <source>First run&apos;s image</source>
        <translation>Imagen del primer entrenamiento</translation>
    </message>
    <message>
        <source>Second run&apos;s image</source>
        <translation>Imagen del segundo entrenamiento</translation>
    </message>
    <message>
        <source>Before and two runs</source>
        <translation>El antes y dos entrenamientos</translation>
    </message>
    <message>
        <source>First run</source>
        <translation>Primer entrenamiento</translation>
    </message>
    <message>
        <source>Second run</source>
        <translation>Segundo entrenamiento</translation>
    </message>
    <message>
        <source>{run}, caption</source>
        <translation>{run}, rótulo</translation>
    </message>
    <message>
        <source>Why no image is compared</source>
        <translation>Por qué no se compara ninguna imagen</translation>
    </message>
    <message>
        <source>What is compared</source>
        <translation>Qué se compara</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Pérdida</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Memoria</translation>
    </message>
    <message>
        <source>Radiograph</source>
        <translation>Radiografía</translation>
    </message>
</context>
<context>
    <name>ParameterSlider</name>
    <message>
        <source>Parameter: {title}</source>
        <translation>Parámetro: {title}</translation>
    </message>
    <message>
        <source>{title}, caption</source>
        <translation>{title}, rótulo</translation>
    </message>
    <message>
        <source>Slider: {title}</source>
        <translation>Deslizador: {title}</translation>
    </message>
    <message>
        <source>Number: {title}</source>
        <translation>Número: {title}</translation>
    </message>
    <message>
        <source>Back to the value of the preset</source>
        <translation>Volver al valor del ajuste predefinido</translation>
    </message>
    <message>
        <source>Reset: {title}</source>
        <translation>Restablecer: {title}</translation>
    </message>
    <message>
        <source>{text} {low} to {high}. Unit: {unit}. Source: {source}.</source>
        <translation>{text} De {low} a {high}. Unidad: {unit}. Fuente: {source}.</translation>
    </message>
</context>
<context>
    <name>PartBar</name>
    <message>
        <source>Training part</source>
        <translation>Parte de entrenamiento</translation>
    </message>
    <message>
        <source>State of the training part</source>
        <translation>Estado del componente de entrenamiento</translation>
    </message>
    <message>
        <source>Progress of the installation</source>
        <translation>Progreso de la instalación</translation>
    </message>
    <message>
        <source>Install…</source>
        <translation>Instalar…</translation>
    </message>
    <message>
        <source>Install the training part</source>
        <translation>Instalar el componente de entrenamiento</translation>
    </message>
    <message>
        <source>From a folder…</source>
        <translation>Desde una carpeta…</translation>
    </message>
    <message>
        <source>Install the training part from a folder</source>
        <translation>Instalar el componente de entrenamiento desde una carpeta</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Stop the installation</source>
        <translation>Detener la instalación</translation>
    </message>
    <message>
        <source>{what}: {done} of {total} MB.</source>
        <translation>{what}: {done} de {total} MB.</translation>
    </message>
</context>
<context>
    <name>PartDesk</name>
    <message>
        <source>Install the training part first.</source>
        <translation>Instale antes el componente de entrenamiento.</translation>
    </message>
    <message>
        <source>The training part was installed for Fullfield {before}, and this is {now}: install it again.</source>
        <translation>El componente de entrenamiento se instaló para Fullfield {before}, y este es {now}: instálelo de nuevo.</translation>
    </message>
    <message>
        <source>Trainings and models need PyTorch, which this light installation does not have.</source>
        <translation>Los entrenamientos y los modelos necesitan PyTorch, que esta instalación ligera no tiene.</translation>
    </message>
    <message>
        <source>Choose the folder that holds the wheels</source>
        <translation>Elija la carpeta que contiene los paquetes (wheels)</translation>
    </message>
    <message>
        <source>Looking at what fits this computer.</source>
        <translation>Comprobando qué es adecuado para este equipo.</translation>
    </message>
    <message>
        <source>It comes into the folder {folder}</source>
        <translation>Se instala en la carpeta {folder}</translation>
    </message>
    <message>
        <source>Install</source>
        <translation>Instalar</translation>
    </message>
    <message>
        <source>Install the training part?</source>
        <translation>¿Instalar el componente de entrenamiento?</translation>
    </message>
    <message>
        <source>Do not install</source>
        <translation>No instalar</translation>
    </message>
    <message>
        <source>Installing the training part</source>
        <translation>Instalando el componente de entrenamiento</translation>
    </message>
    <message>
        <source>The training part is installed.</source>
        <translation>El componente de entrenamiento está instalado.</translation>
    </message>
    <message>
        <source>Trainings can begin now. To enhance with models, start Fullfield again.</source>
        <translation>Ya se puede entrenar. Para mejorar imágenes con modelos, inicie Fullfield de nuevo.</translation>
    </message>
</context>
<context>
    <name>PausedLine</name>
    <message>
        <source>Earlier gradings</source>
        <translation>Valoraciones anteriores</translation>
    </message>
    <message>
        <source>Earlier</source>
        <translation>Anteriores</translation>
    </message>
    <message>
        <source>Earlier gradings, caption</source>
        <translation>Valoraciones anteriores, rótulo</translation>
    </message>
    <message>
        <source>Earlier grading</source>
        <translation>Valoración anterior</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Reanudar</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Eliminar</translation>
    </message>
    <message>
        <source>Open the earlier grading</source>
        <translation>Abrir la valoración anterior</translation>
    </message>
    <message>
        <source>Delete the earlier grading</source>
        <translation>Eliminar la valoración anterior</translation>
    </message>
    <message>
        <source>About the earlier grading</source>
        <translation>Acerca de la valoración anterior</translation>
    </message>
    <message>
        <source>{date}: {done} of {count} pairs</source>
        <translation>{date}: {done} de {count} pares</translation>
    </message>
    <message>
        <source>Show result</source>
        <translation>Mostrar el resultado</translation>
    </message>
    <message>
        <source>{missing} of its {count} images are not in the list. Close this, open the same files, and come back.</source>
        <translation>{missing} de sus {count} imágenes no están en la lista. Cierre esto, abra los mismos archivos y vuelva.</translation>
    </message>
</context>
<context>
    <name>Pictures</name>
    <message>
        <source>Cannot show the image.</source>
        <translation>No se puede mostrar la imagen.</translation>
    </message>
    <message>
        <source>Its pixels are no longer in the cache.</source>
        <translation>Sus píxeles ya no están en la caché.</translation>
    </message>
    <message>
        <source>Remove the image from the list and open it again.</source>
        <translation>Quite la imagen de la lista y ábrala de nuevo.</translation>
    </message>
</context>
<context>
    <name>PlaceRow</name>
    <message>
        <source>Place {title}</source>
        <translation>Lugar {title}</translation>
    </message>
    <message>
        <source>Train on {title}</source>
        <translation>Entrenar en {title}</translation>
    </message>
    <message>
        <source>{title}, name</source>
        <translation>{title}, nombre</translation>
    </message>
    <message>
        <source>{title}, memory</source>
        <translation>{title}, memoria</translation>
    </message>
    <message>
        <source>Test, change or remove this machine</source>
        <translation>Probar, cambiar o quitar esta máquina</translation>
    </message>
    <message>
        <source>Change {title}</source>
        <translation>Cambiar {title}</translation>
    </message>
    <message>
        <source>Processes</source>
        <translation>Procesos</translation>
    </message>
    <message>
        <source>Processes on {title}, caption</source>
        <translation>Procesos en {title}, rótulo</translation>
    </message>
    <message>
        <source>Processes on {title}</source>
        <translation>Procesos en {title}</translation>
    </message>
    <message>
        <source>Several share the processor&apos;s cores, so they are seldom faster; each takes memory of its own.</source>
        <translation>Varios comparten los núcleos del procesador, así que rara vez van más rápido; cada uno ocupa memoria propia.</translation>
    </message>
</context>
<context>
    <name>PlanDesk</name>
    <message>
        <source>There is no plan yet that says what the devices share.</source>
        <translation>Aún no hay un plan que diga qué comparten los dispositivos.</translation>
    </message>
    <message>
        <source>What it takes is planned there, once the cluster gives it a machine.</source>
        <translation>Lo que necesita se planifica allí, cuando el clúster le dé una máquina.</translation>
    </message>
    <message>
        <source>There is no plan before {machine} is ready.</source>
        <translation>No hay plan hasta que {machine} esté lista.</translation>
    </message>
    <message>
        <source>Choose the images first: at native size they decide how much memory it takes.</source>
        <translation>Elija primero las imágenes: con el tamaño original, de ellas depende la memoria necesaria.</translation>
    </message>
    <message>
        <source>this computer</source>
        <translation>este ordenador</translation>
    </message>
    <message>
        <source>There is no plan before the settings are corrected.</source>
        <translation>No hay plan hasta que se corrijan los ajustes.</translation>
    </message>
</context>
<context>
    <name>PlanView</name>
    <message>
        <source>What it will take</source>
        <translation>Lo que ocupará</translation>
    </message>
    <message>
        <source>Computing…</source>
        <translation>Calculando…</translation>
    </message>
    <message>
        <source>of the computer&apos;s memory (no GPU)</source>
        <translation>de la memoria del equipo (sin GPU)</translation>
    </message>
    <message>
        <source>of the card&apos;s memory</source>
        <translation>de la memoria de la tarjeta</translation>
    </message>
    <message>
        <source>of the computer&apos;s memory</source>
        <translation>de la memoria del equipo</translation>
    </message>
    <message>
        <source>of the memory of the card of {machine}</source>
        <translation>de la memoria de la tarjeta de {machine}</translation>
    </message>
    <message>
        <source>of the memory of {machine} (no GPU)</source>
        <translation>de la memoria de {machine} (sin GPU)</translation>
    </message>
    <message>
        <source>Weights, gradients and optimizer together take {fixed} at any image size, and no technique for the optimizer can save more than that. At this size the images in between take {maps}.</source>
        <translation>Los pesos, los gradientes y el optimizador ocupan en total {fixed} con cualquier tamaño de imagen, y ninguna técnica para el optimizador puede ahorrar más que eso. Con este tamaño, las imágenes intermedias ocupan {maps}.</translation>
    </message>
    <message>
        <source>Fits with room</source>
        <translation>Cabe con holgura</translation>
    </message>
    <message>
        <source>Tight: it fits, with little to spare</source>
        <translation>Justo: cabe, con poco margen</translation>
    </message>
    <message>
        <source>Does not fit</source>
        <translation>No cabe</translation>
    </message>
    <message>
        <source>Each step takes as long as a plain one.</source>
        <translation>Cada paso dura lo mismo que sin técnicas.</translation>
    </message>
    <message>
        <source>Each step takes {factor} times as long as a plain one.</source>
        <translation>Cada paso dura {factor} veces lo que sin técnicas.</translation>
    </message>
    <message>
        <source>Exact: it learns the same as without techniques.</source>
        <translation>Exacto: aprende lo mismo que sin técnicas.</translation>
    </message>
    <message>
        <source>Not exact: it learns nearly the same as without techniques, or another model.</source>
        <translation>No exacto: aprende casi lo mismo que sin técnicas, u otro modelo.</translation>
    </message>
    <message>
        <source>The process will hold at most {most}; of it the training&apos;s tensors {tensors}.</source>
        <translation>El proceso ocupará como máximo {most}; de ello, los tensores del entrenamiento {tensors}.</translation>
    </message>
    <message>
        <source>An estimate: no training has been measured on a card like this yet.</source>
        <translation>Una estimación: todavía no se ha medido ningún entrenamiento en una tarjeta como esta.</translation>
    </message>
    <message>
        <source>An estimate: what the program itself takes could not be measured here.</source>
        <translation>Una estimación: no se pudo medir aquí lo que ocupa el propio programa.</translation>
    </message>
    <message>
        <source>An estimate: this card is not in this computer (± 10 %).</source>
        <translation>Es una estimación: esta tarjeta no está en este equipo (± 10 %).</translation>
    </message>
    <message>
        <source>Beside it {amount} of the computer&apos;s own memory.</source>
        <translation>Además, {amount} de la memoria del propio equipo.</translation>
    </message>
    <message>
        <source>Beside them all processes together take {amount} of their computers&apos; own memory.</source>
        <translation>Además, todos los procesos juntos ocupan {amount} de la memoria propia de sus equipos.</translation>
    </message>
    <message>
        <source>Light, sign</source>
        <translation>Luz, signo</translation>
    </message>
    <message>
        <source>Whether it fits</source>
        <translation>Si cabe</translation>
    </message>
    <message>
        <source>Memory in all</source>
        <translation>Memoria en total</translation>
    </message>
    <message>
        <source>Whose memory</source>
        <translation>Qué memoria es</translation>
    </message>
    <message>
        <source>Time and exactness</source>
        <translation>Tiempo y exactitud</translation>
    </message>
    <message>
        <source>What to know of these figures</source>
        <translation>Lo que hay que saber de estas cifras</translation>
    </message>
    <message>
        <source>What techniques cannot change</source>
        <translation>Lo que las técnicas no pueden cambiar</translation>
    </message>
</context>
<context>
    <name>Plot</name>
    <message>
        <source>{title}, drawn</source>
        <translation>{title}, gráfica</translation>
    </message>
    <message>
        <source>{title}, legend</source>
        <translation>{title}, leyenda</translation>
    </message>
</context>
<context>
    <name>ProfilePlot</name>
    <message>
        <source>Profile along the line, before and after</source>
        <translation>Perfil a lo largo de la línea, antes y después</translation>
    </message>
    <message>
        <source>The values along the line from its start to its end, in percent of each image&apos;s range of values. Before: dashed; after: solid.</source>
        <translation>Los valores a lo largo de la línea, del principio al final, en porcentaje del rango de valores de cada imagen. Antes: a trazos; después: continua.</translation>
    </message>
    <message>
        <source>Before: from {low} to {high} %.</source>
        <translation>Antes: de {low} a {high} %.</translation>
    </message>
    <message>
        <source>After: from {low} to {high} %.</source>
        <translation>Después: de {low} a {high} %.</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Después</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Antes</translation>
    </message>
    <message>
        <source>start</source>
        <translation>inicio</translation>
    </message>
    <message>
        <source>end</source>
        <translation>fin</translation>
    </message>
</context>
<context>
    <name>ProgressLine</name>
    <message>
        <source>Progress of the queue</source>
        <translation>Avance de la cola</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Continuar</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pausar</translation>
    </message>
    <message>
        <source>{done} of {total} done</source>
        <translation>{done} de {total} hechas</translation>
    </message>
    <message>
        <source>Paused. {progress}</source>
        <translation>En pausa. {progress}</translation>
    </message>
    <message>
        <source>{progress}, {rate} a minute, about {time} left</source>
        <translation>{progress}, {rate} por minuto, quedan aprox. {time}</translation>
    </message>
    <message>
        <source>Try 1 again</source>
        <translation>Reintentar 1</translation>
    </message>
    <message>
        <source>Try {count} again</source>
        <translation>Reintentar {count}</translation>
    </message>
    <message>
        <source>Pause the list or go on with it</source>
        <translation>Pausar la lista o continuar con ella</translation>
    </message>
    <message>
        <source>Try again what failed or was cancelled</source>
        <translation>Reintentar lo que falló o se canceló</translation>
    </message>
    <message>
        <source>Progress in words</source>
        <translation>Avance en palabras</translation>
    </message>
    <message>
        <source>Progress of all images</source>
        <translation>Avance de todas las imágenes</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Cancel what has not begun</source>
        <translation>Cancelar lo que no ha empezado</translation>
    </message>
</context>
<context>
    <name>QShortcut</name>
    <message>
        <source>Ctrl</source>
        <translation>Ctrl</translation>
    </message>
    <message>
        <source>Shift</source>
        <translation>Mayús</translation>
    </message>
    <message>
        <source>Return</source>
        <translation>Intro</translation>
    </message>
</context>
<context>
    <name>QueueCommands</name>
    <message>
        <source>All others were cancelled.</source>
        <translation>Todas las demás se han cancelado.</translation>
    </message>
    <message>
        <source>Stop it now</source>
        <translation>Detenerla ya</translation>
    </message>
    <message>
        <source>The image in hand is finished first.</source>
        <translation>Antes se termina la imagen en curso.</translation>
    </message>
    <message>
        <source>Exports begin when it goes on.</source>
        <translation>Las exportaciones empezarán cuando continúe.</translation>
    </message>
    <message>
        <source>The list is paused.</source>
        <translation>La lista está en pausa.</translation>
    </message>
    <message>
        <source>clearing of the list</source>
        <translation>vaciar la lista</translation>
    </message>
    <message>
        <source>kind of input</source>
        <translation>tipo de imagen</translation>
    </message>
    <message>
        <source>removal from the list</source>
        <translation>quitar de la lista</translation>
    </message>
    <message>
        <source>{what}, {count} images</source>
        <translation>{what}, {count} imágenes</translation>
    </message>
    <message>
        <source>Undo: {what}</source>
        <translation>Deshacer: {what}</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Deshacer</translation>
    </message>
    <message>
        <source>Redo: {what}</source>
        <translation>Rehacer: {what}</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Rehacer</translation>
    </message>
    <message>
        <source>Go on with the list</source>
        <translation>Continuar con la lista</translation>
    </message>
    <message>
        <source>Pause the list</source>
        <translation>Pausar la lista</translation>
    </message>
</context>
<context>
    <name>QueueSide</name>
    <message>
        <source>Queue</source>
        <translation>Cola</translation>
    </message>
</context>
<context>
    <name>QueueTable</name>
    <message>
        <source>Automatic</source>
        <translation>Automático</translation>
    </message>
    <message>
        <source>adjusted</source>
        <translation>modificado</translation>
    </message>
    <message>
        <source>taken for raw</source>
        <translation>tratada como sin procesar</translation>
    </message>
    <message>
        <source>taken for processed</source>
        <translation>tratada como procesada</translation>
    </message>
    <message>
        <source>{title}: one image, {done} done</source>
        <translation>{title}: una imagen, hechas: {done}</translation>
    </message>
    <message>
        <source>{title}: {total} images, {done} done</source>
        <translation>{title}: {total} imágenes, hechas: {done}</translation>
    </message>
    <message>
        <source>less than {time}</source>
        <translation>menos de {time}</translation>
    </message>
    <message>
        <source>Damaged file. {state}</source>
        <translation>Archivo dañado. {state}</translation>
    </message>
    <message>
        <source>Failed: {reason}</source>
        <translation>Error: {reason}</translation>
    </message>
    <message>
        <source>Enhanced in {time}</source>
        <translation>Realzada en {time}</translation>
    </message>
    <message>
        <source>{state}, with a warning</source>
        <translation>{state}, con una advertencia</translation>
    </message>
    <message>
        <source>Waiting to be exported</source>
        <translation>En espera de exportarse</translation>
    </message>
    <message>
        <source>Opened, waiting</source>
        <translation>Abierta, en espera</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>En espera</translation>
    </message>
    <message>
        <source>Opening</source>
        <translation>Abriendo</translation>
    </message>
    <message>
        <source>Opened</source>
        <translation>Abierta</translation>
    </message>
    <message>
        <source>Enhancing</source>
        <translation>Realzando</translation>
    </message>
    <message>
        <source>Enhanced</source>
        <translation>Realzada</translation>
    </message>
    <message>
        <source>Exporting</source>
        <translation>Exportando</translation>
    </message>
    <message>
        <source>Exported</source>
        <translation>Exportada</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>Cancelada</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Con error</translation>
    </message>
</context>
<context>
    <name>QueueView</name>
    <message>
        <source>Images</source>
        <translation>Imágenes</translation>
    </message>
</context>
<context>
    <name>RankList</name>
    <message>
        <source>Processes of the run</source>
        <translation>Procesos del entrenamiento</translation>
    </message>
    <message>
        <source>Who waits for whom</source>
        <translation>Quién espera a quién</translation>
    </message>
    <message>
        <source>Processes of the run, legend</source>
        <translation>Procesos del entrenamiento, leyenda</translation>
    </message>
    <message>
        <source>Processes of the run, all</source>
        <translation>Procesos del entrenamiento, todos</translation>
    </message>
    <message>
        <source>Processes of the run, below each other</source>
        <translation>Procesos del entrenamiento, uno debajo de otro</translation>
    </message>
    <message>
        <source>held</source>
        <translation>ocupada</translation>
    </message>
    <message>
        <source>predicted peak</source>
        <translation>máximo previsto</translation>
    </message>
    <message>
        <source>budget</source>
        <translation>límite</translation>
    </message>
    <message>
        <source>waits for others</source>
        <translation>espera a los demás</translation>
    </message>
</context>
<context>
    <name>RankRow</name>
    <message>
        <source>Row of process {number}</source>
        <translation>Fila del proceso {number}</translation>
    </message>
    <message>
        <source>{row}, title</source>
        <translation>{row}, título</translation>
    </message>
    <message>
        <source>{row}, memory</source>
        <translation>{row}, memoria</translation>
    </message>
    <message>
        <source>{row}, what it does</source>
        <translation>{row}, qué hace</translation>
    </message>
    <message>
        <source>{row}, drawn</source>
        <translation>{row}, dibujada</translation>
    </message>
</context>
<context>
    <name>ReadingPage</name>
    <message>
        <source>Pairs to read</source>
        <translation>Pares por leer</translation>
    </message>
    <message>
        <source>Questions and keys</source>
        <translation>Preguntas y teclas</translation>
    </message>
    <message>
        <source>Which pair</source>
        <translation>Qué par</translation>
    </message>
    <message>
        <source>Pairs that are graded</source>
        <translation>Pares valorados</translation>
    </message>
    <message>
        <source>Which image is better, and how much? −2: the left, much; +2: the right, much.</source>
        <translation>¿Qué imagen es mejor, y cuánto? −2: la izquierda, mucho; +2: la derecha, mucho.</translation>
    </message>
    <message>
        <source>Keys 1 to 5: −2 to +2; ↑ ↓ choose the line, Enter next, Backspace back, F fit, + − zoom, I invert.</source>
        <translation>Teclas 1 a 5: de −2 a +2; ↑ ↓ eligen la línea, Intro siguiente, Retroceso atrás, F ajustar, + − zoom, I invertir.</translation>
    </message>
    <message>
        <source>What is missing</source>
        <translation>Lo que falta</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Reintentar</translation>
    </message>
    <message>
        <source>Try to make the image again</source>
        <translation>Intentar crear la imagen de nuevo</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Atrás</translation>
    </message>
    <message>
        <source>Previous pair</source>
        <translation>Par anterior</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Siguiente</translation>
    </message>
    <message>
        <source>Next pair</source>
        <translation>Par siguiente</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pausar</translation>
    </message>
    <message>
        <source>Pause grading</source>
        <translation>Pausar la valoración</translation>
    </message>
    <message>
        <source>End…</source>
        <translation>Terminar…</translation>
    </message>
    <message>
        <source>End grading</source>
        <translation>Terminar la valoración</translation>
    </message>
    <message>
        <source>Pair {place} of {count}</source>
        <translation>Par {place} de {count}</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>Finalizar</translation>
    </message>
    <message>
        <source>This pair is not answered wholly.</source>
        <translation>Faltan respuestas en este par.</translation>
    </message>
</context>
<context>
    <name>RecentMenu</name>
    <message>
        <source>Recent files</source>
        <translation>Archivos recientes</translation>
    </message>
    <message>
        <source>No list is kept. Change that…</source>
        <translation>No se guarda ninguna lista. Cambiarlo…</translation>
    </message>
    <message>
        <source>Nothing was opened yet</source>
        <translation>Aún no se ha abierto nada</translation>
    </message>
    <message>
        <source>Hidden, as patients&apos; names are</source>
        <translation>Ocultos, como los nombres de los pacientes</translation>
    </message>
    <message>
        <source>Clear this list</source>
        <translation>Vaciar esta lista</translation>
    </message>
</context>
<context>
    <name>ReportDesk</name>
    <message>
        <source>The report has been saved.</source>
        <translation>El informe se ha guardado.</translation>
    </message>
    <message>
        <source>Open the report</source>
        <translation>Abrir el informe</translation>
    </message>
</context>
<context>
    <name>ReportDialog</name>
    <message>
        <source>Save a report of the run</source>
        <translation>Guardar un informe del entrenamiento</translation>
    </message>
    <message>
        <source>Web page (HTML), one file that any browser shows</source>
        <translation>Página web (HTML), un archivo que muestra cualquier navegador</translation>
    </message>
    <message>
        <source>PDF, to print and to file</source>
        <translation>PDF, para imprimir y archivar</translation>
    </message>
    <message>
        <source>Report as a web page</source>
        <translation>Informe como página web</translation>
    </message>
    <message>
        <source>Report as PDF</source>
        <translation>Informe en PDF</translation>
    </message>
    <message>
        <source>With the watched radiograph, before and after</source>
        <translation>Con la radiografía de seguimiento, antes y después</translation>
    </message>
    <message>
        <source>Radiograph in the report</source>
        <translation>Radiografía en el informe</translation>
    </message>
    <message>
        <source>It is a patient&apos;s image: tick this only for those who may see it. No name is in the report.</source>
        <translation>Es la imagen de un paciente: márquelo solo si el informe es para quienes pueden verla. El informe no contiene ningún nombre.</translation>
    </message>
    <message>
        <source>Whose image it is</source>
        <translation>De quién es la imagen</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>Guardar como…</translation>
    </message>
    <message>
        <source>Save the report or not</source>
        <translation>Guardar el informe o no</translation>
    </message>
    <message>
        <source>Save the report</source>
        <translation>Guardar el informe</translation>
    </message>
    <message>
        <source>Save no report</source>
        <translation>No guardar ningún informe</translation>
    </message>
    <message>
        <source>Save the report as</source>
        <translation>Guardar el informe como</translation>
    </message>
</context>
<context>
    <name>ResultsPage</name>
    <message>
        <source>Result of the grading</source>
        <translation>Resultado de la valoración</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Resultado</translation>
    </message>
    <message>
        <source>What the scores mean</source>
        <translation>Qué significan las puntuaciones</translation>
    </message>
    <message>
        <source>What the numbers cannot say</source>
        <translation>Lo que los números no pueden decir</translation>
    </message>
    <message>
        <source>Why the model is not offered</source>
        <translation>Por qué no se ofrece el modelo</translation>
    </message>
    <message>
        <source>All answers and the statistics (CSV) and this result as text are in {folder}.</source>
        <translation>Todas las respuestas y la estadística (CSV) y este resultado como texto están en {folder}.</translation>
    </message>
    <message>
        <source>Where the files are</source>
        <translation>Dónde están los archivos</translation>
    </message>
    <message>
        <source>Scores by criterion</source>
        <translation>Puntuaciones por criterio</translation>
    </message>
    <message>
        <source>Show folder</source>
        <translation>Mostrar la carpeta</translation>
    </message>
    <message>
        <source>Show the folder of the result</source>
        <translation>Mostrar la carpeta del resultado</translation>
    </message>
    <message>
        <source>Another reader</source>
        <translation>Otro lector</translation>
    </message>
    <message>
        <source>Let another reader grade the same pairs</source>
        <translation>Dejar que otro lector valore los mismos pares</translation>
    </message>
    <message>
        <source>Use the model for: {part}</source>
        <translation>Usar el modelo para: {part}</translation>
    </message>
    <message>
        <source>Use the graded model for a body part</source>
        <translation>Usar el modelo valorado para una región anatómica</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Cerrar</translation>
    </message>
    <message>
        <source>Close the grading</source>
        <translation>Cerrar la valoración</translation>
    </message>
</context>
<context>
    <name>ReviewView</name>
    <message>
        <source>Review of references</source>
        <translation>Revisión de las referencias</translation>
    </message>
    <message>
        <source>Image under review</source>
        <translation>Imagen que se revisa</translation>
    </message>
    <message>
        <source>Reference under review</source>
        <translation>Referencia que se revisa</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>Imagen</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>Referencia</translation>
    </message>
    <message>
        <source>{reviewed} of {total} reviewed</source>
        <translation>{reviewed} de {total} revisadas</translation>
    </message>
    <message>
        <source>Image {place} of {total}, patient {patient}: {verdict}</source>
        <translation>Imagen {place} de {total}, paciente {patient}: {verdict}</translation>
    </message>
    <message>
        <source>Making the reference…</source>
        <translation>Creando la referencia…</translation>
    </message>
    <message>
        <source>not reviewed</source>
        <translation>sin revisar</translation>
    </message>
    <message>
        <source>✓ approved</source>
        <translation>✓ aprobada</translation>
    </message>
    <message>
        <source>± adjusted</source>
        <translation>± ajustada</translation>
    </message>
    <message>
        <source>✕ rejected, left out</source>
        <translation>✕ rechazada, queda fuera</translation>
    </message>
    <message>
        <source>← Back to the settings</source>
        <translation>← Volver a los ajustes</translation>
    </message>
    <message>
        <source>Back to the settings</source>
        <translation>Volver a los ajustes</translation>
    </message>
    <message>
        <source>Which image</source>
        <translation>Qué imagen</translation>
    </message>
    <message>
        <source>How many are reviewed</source>
        <translation>Cuántas están revisadas</translation>
    </message>
    <message>
        <source>The preset that fits</source>
        <translation>El ajuste adecuado</translation>
    </message>
    <message>
        <source>Preset of the reference</source>
        <translation>Ajuste predefinido de la referencia</translation>
    </message>
    <message>
        <source>Strength of the reference</source>
        <translation>Intensidad de la referencia</translation>
    </message>
    <message>
        <source>Strength in percent</source>
        <translation>Intensidad en porcentaje</translation>
    </message>
    <message>
        <source>Who made the reference</source>
        <translation>De dónde viene la referencia</translation>
    </message>
    <message>
        <source>Strength</source>
        <translation>Intensidad</translation>
    </message>
    <message>
        <source>Strength, caption</source>
        <translation>Intensidad, rótulo</translation>
    </message>
</context>
<context>
    <name>RunBridge</name>
    <message>
        <source>Cannot open this run.</source>
        <translation>No se puede abrir este entrenamiento.</translation>
    </message>
    <message>
        <source>Its folder is gone.</source>
        <translation>Su carpeta ya no existe.</translation>
    </message>
    <message>
        <source>Choose another one.</source>
        <translation>Elija otro.</translation>
    </message>
</context>
<context>
    <name>RunHead</name>
    <message>
        <source>Head of the run</source>
        <translation>Cabecera del entrenamiento</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>Iniciando…</translation>
    </message>
    <message>
        <source>Epoch {epoch} of {epochs}, step {step} of {steps}</source>
        <translation>Época {epoch} de {epochs}, paso {step} de {steps}</translation>
    </message>
    <message>
        <source>{progress}; about {time} left</source>
        <translation>{progress}; quedan cerca de {time}</translation>
    </message>
    <message>
        <source>{epoch} of {epochs} epochs in {time}</source>
        <translation>{epoch} de {epochs} épocas en {time}</translation>
    </message>
    <message>
        <source>Name of the run</source>
        <translation>Nombre del entrenamiento</translation>
    </message>
    <message>
        <source>State of the run</source>
        <translation>Estado del entrenamiento</translation>
    </message>
    <message>
        <source>Progress of the run</source>
        <translation>Progreso del entrenamiento</translation>
    </message>
    <message>
        <source>Progress of the run, as a bar</source>
        <translation>Progreso del entrenamiento, como barra</translation>
    </message>
    <message>
        <source>‹ All runs</source>
        <translation>‹ Todos</translation>
    </message>
    <message>
        <source>Back to the list of runs.</source>
        <translation>Volver a la lista de entrenamientos.</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pausar</translation>
    </message>
    <message>
        <source>End the worker after the step in hand, so that its memory is free; resume goes on exactly.</source>
        <translation>Termina el proceso tras el paso actual, de modo que su memoria queda libre; al reanudar, continúa exactamente donde estaba.</translation>
    </message>
    <message>
        <source>Stop and keep</source>
        <translation>Detener y conservar</translation>
    </message>
    <message>
        <source>End the training after the step in hand, and keep its best model.</source>
        <translation>Termina el entrenamiento tras el paso actual y conserva su mejor modelo.</translation>
    </message>
    <message>
        <source>Cancel and discard…</source>
        <translation>Cancelar y descartar…</translation>
    </message>
    <message>
        <source>End the training at once, and delete all that it left.</source>
        <translation>Termina el entrenamiento en el acto y elimina todo lo que ha dejado.</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Reanudar</translation>
    </message>
    <message>
        <source>Go on with this training from what was saved last.</source>
        <translation>Continúa este entrenamiento desde lo último que se guardó.</translation>
    </message>
    <message>
        <source>Keep its model…</source>
        <translation>Guardar su modelo…</translation>
    </message>
    <message>
        <source>Put the model of the best epoch among your models.</source>
        <translation>Añade a sus modelos el de la mejor época.</translation>
    </message>
    <message>
        <source>Report…</source>
        <translation>Informe…</translation>
    </message>
    <message>
        <source>Save a report of this run as HTML or PDF.</source>
        <translation>Guarda un informe de este entrenamiento en HTML o PDF.</translation>
    </message>
    <message>
        <source>Name and notes…</source>
        <translation>Nombre y notas…</translation>
    </message>
    <message>
        <source>Give this run a name, and write notes of it.</source>
        <translation>Da nombre a este entrenamiento y permite anotar observaciones.</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>Eliminar…</translation>
    </message>
    <message>
        <source>Delete this run and all that it left.</source>
        <translation>Elimina este entrenamiento y todo lo que ha dejado.</translation>
    </message>
    <message>
        <source>Report of this run</source>
        <translation>Informe de este entrenamiento</translation>
    </message>
    <message>
        <source>Name and notes of this run</source>
        <translation>Nombre y notas de este entrenamiento</translation>
    </message>
    <message>
        <source>Delete this run</source>
        <translation>Eliminar este entrenamiento</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>Lo que ha pasado</translation>
    </message>
    <message>
        <source>What happened, in short</source>
        <translation>Lo que ha pasado, en resumen</translation>
    </message>
    <message>
        <source>What happened, in full</source>
        <translation>Lo que ha pasado, completo</translation>
    </message>
</context>
<context>
    <name>RunPage</name>
    <message>
        <source>One run</source>
        <translation>Un entrenamiento</translation>
    </message>
    <message>
        <source>Details of the run</source>
        <translation>Detalles del entrenamiento</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>épocas</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Pérdida</translation>
    </message>
    <message>
        <source>100·(1 − MS-SSIM)</source>
        <translation>100·(1 − MS-SSIM)</translation>
    </message>
    <message>
        <source>Quality</source>
        <translation>Calidad</translation>
    </message>
    <message>
        <source>PSNR in dB</source>
        <translation>PSNR en dB</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Memoria</translation>
    </message>
    <message>
        <source>time of training</source>
        <translation>tiempo de entrenamiento</translation>
    </message>
    <message>
        <source>Loss of the run</source>
        <translation>Pérdida del entrenamiento</translation>
    </message>
    <message>
        <source>Quality of the run</source>
        <translation>Calidad del entrenamiento</translation>
    </message>
    <message>
        <source>GiB</source>
        <translation>GiB</translation>
    </message>
    <message>
        <source>Memory of the run</source>
        <translation>Memoria del entrenamiento</translation>
    </message>
    <message>
        <source>Loss and quality</source>
        <translation>Pérdida y calidad</translation>
    </message>
    <message>
        <source>Memory while it trains</source>
        <translation>Memoria mientras entrena</translation>
    </message>
    <message>
        <source>Processes</source>
        <translation>Procesos</translation>
    </message>
    <message>
        <source>Last minute</source>
        <translation>Último minuto</translation>
    </message>
    <message>
        <source>Memory of the last minute only</source>
        <translation>Solo la memoria del último minuto</translation>
    </message>
    <message>
        <source>Beside the memory&apos;s tab</source>
        <translation>Junto a la pestaña de la memoria</translation>
    </message>
    <message>
        <source>Curves of the run</source>
        <translation>Curvas del entrenamiento</translation>
    </message>
    <message>
        <source>Radiograph, details and messages</source>
        <translation>Radiografía, detalles y mensajes</translation>
    </message>
    <message>
        <source>Radiograph</source>
        <translation>Radiografía</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Detalles</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Mensajes</translation>
    </message>
    <message>
        <source>Curves and radiograph</source>
        <translation>Curvas y radiografía</translation>
    </message>
</context>
<context>
    <name>RunTable</name>
    <message>
        <source>All runs</source>
        <translation>Todos los entrenamientos</translation>
    </message>
    <message>
        <source>Columns of the list</source>
        <translation>Columnas de la lista</translation>
    </message>
</context>
<context>
    <name>RunsAtStart</name>
    <message>
        <source>A training is running.</source>
        <translation>Hay un entrenamiento en marcha.</translation>
    </message>
    <message>
        <source>{count} trainings are running.</source>
        <translation>Hay {count} entrenamientos en marcha.</translation>
    </message>
    <message>
        <source>Resume the run</source>
        <translation>Reanudar el entrenamiento</translation>
    </message>
    <message>
        <source>Show its report</source>
        <translation>Mostrar su informe</translation>
    </message>
    <message>
        <source>{count} runs ended unexpectedly.</source>
        <translation>{count} entrenamientos terminaron de forma inesperada.</translation>
    </message>
    <message>
        <source>What was saved is kept: resume it, or look at its report.</source>
        <translation>Lo guardado se conserva: reanúdelo, o consulte su informe.</translation>
    </message>
    <message>
        <source>A run ended unexpectedly.</source>
        <translation>Un entrenamiento terminó de forma inesperada.</translation>
    </message>
    <message>
        <source>What was saved is kept: resume them, or look at their reports.</source>
        <translation>Lo guardado se conserva: reanúdelos, o consulte sus informes.</translation>
    </message>
    <message>
        <source>Show the run</source>
        <translation>Mostrar el entrenamiento</translation>
    </message>
    <message>
        <source>Show the runs</source>
        <translation>Mostrar los entrenamientos</translation>
    </message>
</context>
<context>
    <name>RunsPanel</name>
    <message>
        <source>Runs</source>
        <translation>Entrenamientos</translation>
    </message>
    <message>
        <source>List of runs, or one of them</source>
        <translation>Lista de entrenamientos, o uno de ellos</translation>
    </message>
    <message>
        <source>The model has been exported.</source>
        <translation>El modelo se ha exportado.</translation>
    </message>
    <message>
        <source>The run that was open is no longer there, or cannot be reached.</source>
        <translation>El entrenamiento que estaba abierto ya no está ahí, o no se puede acceder a él.</translation>
    </message>
    <message>
        <source>The model is among your models now.</source>
        <translation>El modelo está ahora entre sus modelos.</translation>
    </message>
    <message>
        <source>Choose “{model}” when you enhance, or take it for a body part.</source>
        <translation>Elija «{model}» al realzar, o úselo para una región anatómica.</translation>
    </message>
    <message>
        <source>Show models</source>
        <translation>Mostrar modelos</translation>
    </message>
    <message>
        <source>This run is damaged.</source>
        <translation>Este entrenamiento está dañado.</translation>
    </message>
    <message>
        <source>What its folder holds cannot be read. Look at its files, or delete it.</source>
        <translation>No se puede leer el contenido de su carpeta. Revise sus archivos o elimínelo.</translation>
    </message>
    <message>
        <source>Show folder</source>
        <translation>Mostrar carpeta</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>Eliminar…</translation>
    </message>
</context>
<context>
    <name>SampleView</name>
    <message>
        <source>Radiograph by epoch</source>
        <translation>Radiografía por época</translation>
    </message>
    <message>
        <source> of {images}</source>
        <translation> de {images}</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Antes</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Ahora</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>Referencia</translation>
    </message>
    <message>
        <source>It is shown after the next epoch.</source>
        <translation>Se mostrará tras la próxima época.</translation>
    </message>
    <message>
        <source>No epoch was kept of it.</source>
        <translation>No se guardó ninguna época de ella.</translation>
    </message>
    <message>
        <source>After epoch {epoch}</source>
        <translation>Tras la época {epoch}</translation>
    </message>
    <message>
        <source>{epoch}, the best so far</source>
        <translation>{epoch}, la mejor hasta ahora</translation>
    </message>
    <message>
        <source>{epoch}, the best</source>
        <translation>{epoch}, la mejor</translation>
    </message>
    <message>
        <source>Radiograph before</source>
        <translation>Radiografía antes</translation>
    </message>
    <message>
        <source>Radiograph now</source>
        <translation>Radiografía ahora</translation>
    </message>
    <message>
        <source>Reference of the radiograph</source>
        <translation>Referencia de la radiografía</translation>
    </message>
    <message>
        <source>Before, now, reference</source>
        <translation>Antes, ahora, referencia</translation>
    </message>
    <message>
        <source>Epoch that is shown</source>
        <translation>Época que se muestra</translation>
    </message>
    <message>
        <source>Epoch in words</source>
        <translation>Época en palabras</translation>
    </message>
    <message>
        <source>Newest</source>
        <translation>La más reciente</translation>
    </message>
    <message>
        <source>Always show the newest epoch</source>
        <translation>Mostrar siempre la época más reciente</translation>
    </message>
    <message>
        <source>Radiograph that is watched</source>
        <translation>Radiografía de seguimiento</translation>
    </message>
    <message>
        <source>Which of the radiographs that are held back for the validation is shown. Another one is kept from the next epoch on.</source>
        <translation>Cuál de las radiografías reservadas para la validación se muestra. Si elige otra, se guardará desde la próxima época.</translation>
    </message>
    <message>
        <source>Radiograph</source>
        <translation>Radiografía</translation>
    </message>
    <message>
        <source>Radiograph, caption</source>
        <translation>Radiografía, rótulo</translation>
    </message>
</context>
<context>
    <name>SavePreset</name>
    <message>
        <source>Save as a preset</source>
        <translation>Guardar como ajuste predefinido</translation>
    </message>
    <message>
        <source>The values of the sliders become a preset of your own. It is offered beside the others, here and on the command line. Saving under a name of your own again makes its next version.</source>
        <translation>Los valores de los deslizadores pasan a ser un ajuste predefinido propio. Se ofrece junto a los demás, aquí y en la línea de órdenes. Si vuelve a guardar con uno de sus nombres, se crea su versión siguiente.</translation>
    </message>
    <message>
        <source>What saving a preset does</source>
        <translation>Qué hace guardar un ajuste predefinido</translation>
    </message>
    <message>
        <source>Name of the preset</source>
        <translation>Nombre del ajuste predefinido</translation>
    </message>
    <message>
        <source>Body part of the preset</source>
        <translation>Región anatómica del ajuste predefinido</translation>
    </message>
    <message>
        <source>None: only when it is chosen</source>
        <translation>Ninguna: solo cuando se elija</translation>
    </message>
    <message>
        <source>What is wrong with the preset</source>
        <translation>Qué está mal en el ajuste predefinido</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Nombre</translation>
    </message>
    <message>
        <source>Automatic takes it for</source>
        <translation>Automático lo usa para</translation>
    </message>
    <message>
        <source>{title}, caption</source>
        <translation>{title}, rótulo</translation>
    </message>
    <message>
        <source>Save or cancel</source>
        <translation>Guardar o cancelar</translation>
    </message>
    <message>
        <source>Save the preset</source>
        <translation>Guardar el ajuste predefinido</translation>
    </message>
    <message>
        <source>Do not save the preset</source>
        <translation>No guardar el ajuste predefinido</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Guardar</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
</context>
<context>
    <name>Scale</name>
    <message>
        <source>Questions</source>
        <translation>Preguntas</translation>
    </message>
    <message>
        <source>All questions</source>
        <translation>Todas las preguntas</translation>
    </message>
</context>
<context>
    <name>Session</name>
    <message>
        <source>The worker has ended.</source>
        <translation>El proceso de trabajo ha terminado.</translation>
    </message>
    <message>
        <source>Start it again.</source>
        <translation>Inícielo de nuevo.</translation>
    </message>
</context>
<context>
    <name>SettingsStore</name>
    <message>
        <source>The file of your settings was damaged and has been set aside. Fullfield starts with its own settings. Names of patients (View, Show, Overlay) and the list of recent files (Preferences) are off until you turn them on.</source>
        <translation>El archivo de sus ajustes estaba dañado y se ha apartado. Fullfield empieza con sus ajustes de fábrica. Los nombres de pacientes (Ver, Mostrar, Datos sobre la imagen) y la lista de archivos recientes (Preferencias) están desactivados hasta que usted los active.</translation>
    </message>
    <message>
        <source>The file of your settings cannot be read. Fullfield starts with its own settings; check who may read your folder of settings. Until then names of patients (View, Show, Overlay) are hidden and no list of recent files is kept (Preferences).</source>
        <translation>No se puede leer el archivo de sus ajustes. Fullfield empieza con sus ajustes de fábrica; compruebe quién puede leer su carpeta de ajustes. Hasta entonces los nombres de pacientes (Ver, Mostrar, Datos sobre la imagen) están ocultos y no se guarda la lista de archivos recientes (Preferencias).</translation>
    </message>
    <message>
        <source>Some of your settings could not be used and were passed over.</source>
        <translation>Algunos de sus ajustes no se han podido usar y se han pasado por alto.</translation>
    </message>
</context>
<context>
    <name>SetupPage</name>
    <message>
        <source>What to grade</source>
        <translation>Qué valorar</translation>
    </message>
    <message>
        <source>the reader&apos;s own</source>
        <translation>los del propio lector</translation>
    </message>
    <message>
        <source>Grade blind</source>
        <translation>Valorar a ciegas</translation>
    </message>
    <message>
        <source>Two versions of each image are shown side by side, in random order and on random sides. You say which is better; which was which is told at the end.</source>
        <translation>Se muestran dos versiones de cada imagen, una junto a la otra, en orden aleatorio y en lados aleatorios. Usted dice cuál es mejor; cuál era cada una se revela al final.</translation>
    </message>
    <message>
        <source>How many pairs</source>
        <translation>Cuántos pares</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Empezar</translation>
    </message>
    <message>
        <source>Close without grading</source>
        <translation>Cerrar sin valorar</translation>
    </message>
    <message>
        <source>Start grading</source>
        <translation>Empezar a valorar</translation>
    </message>
    <message>
        <source>Images to grade</source>
        <translation>Imágenes que se valoran</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Todas</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Ninguna</translation>
    </message>
    <message>
        <source>Grade all images</source>
        <translation>Valorar todas las imágenes</translation>
    </message>
    <message>
        <source>Grade no image</source>
        <translation>No valorar ninguna imagen</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>Imágenes</translation>
    </message>
    <message>
        <source>One criterion per line, at most ten; change them as you like.</source>
        <translation>Un criterio por línea, diez como máximo; cámbielos como desee.</translation>
    </message>
    <message>
        <source>may stay empty</source>
        <translation>opcional</translation>
    </message>
    <message>
        <source>First version</source>
        <translation>Primera versión</translation>
    </message>
    <message>
        <source>Second version</source>
        <translation>Segunda versión</translation>
    </message>
    <message>
        <source>Criteria for</source>
        <translation>Criterios para</translation>
    </message>
    <message>
        <source>Criteria, one per line</source>
        <translation>Criterios, uno por línea</translation>
    </message>
    <message>
        <source>Where the criteria come from</source>
        <translation>De dónde vienen los criterios</translation>
    </message>
    <message>
        <source>Reader&apos;s initials</source>
        <translation>Iniciales del lector</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Comparar</translation>
    </message>
    <message>
        <source>with</source>
        <translation>con</translation>
    </message>
    <message>
        <source>Criteria</source>
        <translation>Criterios</translation>
    </message>
    <message>
        <source>Initials</source>
        <translation>Iniciales</translation>
    </message>
    <message>
        <source>Source: {source}</source>
        <translation>Fuente: {source}</translation>
    </message>
    <message>
        <source>Choose two different versions.</source>
        <translation>Elija dos versiones distintas.</translation>
    </message>
    <message>
        <source>Choose images that have both versions: those that are enhanced.</source>
        <translation>Elija imágenes que tengan ambas versiones: las que ya están realzadas.</translation>
    </message>
    <message>
        <source>Write at least one criterion.</source>
        <translation>Escriba al menos un criterio.</translation>
    </message>
    <message>
        <source>Pairs: {pairs}. Questions about each: {criteria}.</source>
        <translation>Pares: {pairs}. Preguntas sobre cada uno: {criteria}.</translation>
    </message>
</context>
<context>
    <name>Showing</name>
    <message>
        <source>Cancelled before it was opened.</source>
        <translation>Cancelada antes de abrirse.</translation>
    </message>
    <message>
        <source>Opening…</source>
        <translation>Abriendo…</translation>
    </message>
    <message>
        <source>Enhancing…</source>
        <translation>Realzando…</translation>
    </message>
    <message>
        <source>Cancelled. Enhance it again from the menu Image.</source>
        <translation>Cancelada. Puede realzarla de nuevo desde el menú Imagen.</translation>
    </message>
    <message>
        <source>Waiting to be enhanced…</source>
        <translation>A la espera de realzarse…</translation>
    </message>
</context>
<context>
    <name>SizeForm</name>
    <message>
        <source>Settings of the training</source>
        <translation>Ajustes del entrenamiento</translation>
    </message>
    <message>
        <source>native</source>
        <translation>original</translation>
    </message>
    <message>
        <source>More… ({count} to correct)</source>
        <translation>Más… ({count} por corregir)</translation>
    </message>
    <message>
        <source>More…</source>
        <translation>Más…</translation>
    </message>
    <message>
        <source>{size} is no multiple of 32: it is padded to {above}. {below} or {above} waste nothing.</source>
        <translation>{size} no es múltiplo de 32: se rellena hasta {above}. Con {below} o {above} no se desperdicia nada.</translation>
    </message>
    <message>
        <source>Every image at its own size: the largest one decides how much memory it takes.</source>
        <translation>Cada imagen con su propio tamaño: la memoria necesaria depende de la más grande.</translation>
    </message>
    <message>
        <source>The longer side in pixels: choose one, or type one from 192 on.</source>
        <translation>El lado mayor en píxeles: elija uno o escriba uno a partir de 192.</translation>
    </message>
    <message>
        <source>Size in pixels</source>
        <translation>Tamaño en píxeles</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>Épocas</translation>
    </message>
    <message>
        <source>Images per step</source>
        <translation>Imágenes por paso</translation>
    </message>
    <message>
        <source>More settings</source>
        <translation>Más ajustes</translation>
    </message>
    <message>
        <source>About the size</source>
        <translation>Acerca del tamaño</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Tamaño</translation>
    </message>
    <message>
        <source>How often every image is learnt from.</source>
        <translation>Cuántas veces se aprende de cada imagen.</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>Lote</translation>
    </message>
    <message>
        <source>How many images each step learns from at once.</source>
        <translation>De cuántas imágenes a la vez aprende cada paso.</translation>
    </message>
    <message>
        <source>{field}, caption</source>
        <translation>{field}, rótulo</translation>
    </message>
</context>
<context>
    <name>SizePlot</name>
    <message>
        <source>Spread of sizes</source>
        <translation>Distribución de tamaños</translation>
    </message>
    <message>
        <source>{least} to {most} pixels</source>
        <translation>De {least} a {most} píxeles</translation>
    </message>
    <message>
        <source>longer side, pixels</source>
        <translation>lado mayor, píxeles</translation>
    </message>
</context>
<context>
    <name>StartDesk</name>
    <message>
        <source>{steps} Very roughly {time} here.</source>
        <translation>{steps} Muy aproximadamente, {time} en este equipo.</translation>
    </message>
    <message>
        <source>1 image to learn from</source>
        <translation>1 imagen de la que aprender</translation>
    </message>
    <message>
        <source>{count} images to learn from</source>
        <translation>{count} imágenes de las que aprender</translation>
    </message>
    <message>
        <source>1 step</source>
        <translation>1 paso</translation>
    </message>
    <message>
        <source>{count} steps</source>
        <translation>{count} pasos</translation>
    </message>
    <message>
        <source>1 epoch</source>
        <translation>1 época</translation>
    </message>
    <message>
        <source>{count} epochs</source>
        <translation>{count} épocas</translation>
    </message>
    <message>
        <source>{images}, {steps} in {epochs}.</source>
        <translation>{images}, {steps} en {epochs}.</translation>
    </message>
    <message>
        <source>Choose the images first.</source>
        <translation>Elija primero las imágenes.</translation>
    </message>
    <message>
        <source>Correct the settings first.</source>
        <translation>Corrija primero los ajustes.</translation>
    </message>
</context>
<context>
    <name>StartSide</name>
    <message>
        <source>Third step</source>
        <translation>Tercer paso</translation>
    </message>
    <message>
        <source>3  Start</source>
        <translation>3  Empezar</translation>
    </message>
    <message>
        <source>Third step, title</source>
        <translation>Tercer paso, título</translation>
    </message>
    <message>
        <source>How long the training is</source>
        <translation>Cuánto dura el entrenamiento</translation>
    </message>
    <message>
        <source>Why it cannot start</source>
        <translation>Por qué no puede empezar</translation>
    </message>
    <message>
        <source>If memory runs out, go on with less</source>
        <translation>Si se agota la memoria, seguir con menos</translation>
    </message>
    <message>
        <source>Go on with less when memory runs out</source>
        <translation>Seguir con menos si se agota la memoria</translation>
    </message>
    <message>
        <source>Start →</source>
        <translation>Empezar →</translation>
    </message>
    <message>
        <source>Start the training</source>
        <translation>Empezar el entrenamiento</translation>
    </message>
    <message>
        <source>Members</source>
        <translation>Miembros</translation>
    </message>
    <message>
        <source>Members of an ensemble</source>
        <translation>Miembros de un conjunto</translation>
    </message>
    <message>
        <source>Members of an ensemble, caption</source>
        <translation>Miembros de un conjunto, rótulo</translation>
    </message>
    <message>
        <source>So many networks are trained alike, each with other first weights and another order of the images. As one model they give the mean of their results, and show where they disagree.</source>
        <translation>Se entrenan igual tantas redes, cada una con otros pesos iniciales y otro orden de las imágenes. Como un solo modelo dan la media de sus resultados y muestran dónde discrepan.</translation>
    </message>
    <message>
        <source>Add a machine…</source>
        <translation>Añadir una máquina…</translation>
    </message>
    <message>
        <source>Add a machine</source>
        <translation>Añadir una máquina</translation>
    </message>
    <message>
        <source>Train on another machine, which your ssh reaches</source>
        <translation>Entrenar en otra máquina a la que llega su ssh</translation>
    </message>
</context>
<context>
    <name>Starting</name>
    <message>
        <source>Start anyway</source>
        <translation>Empezar de todos modos</translation>
    </message>
    <message>
        <source>Two at once share memory and processor: both take longer, and one may run out of memory.</source>
        <translation>Dos a la vez comparten memoria y procesador: ambos tardan más, y uno de ellos puede quedarse sin memoria.</translation>
    </message>
    <message>
        <source>A training is running already. Start another?</source>
        <translation>Ya hay un entrenamiento en marcha. ¿Empezar otro?</translation>
    </message>
    <message>
        <source>Do not start</source>
        <translation>No empezar</translation>
    </message>
    <message>
        <source>The figures are for {card}. The training will run on this computer.</source>
        <translation>Las cifras son para {card}. El entrenamiento se hará en este equipo.</translation>
    </message>
    <message>
        <source>Start on this computer?</source>
        <translation>¿Empezar en este equipo?</translation>
    </message>
    <message>
        <source>Start here</source>
        <translation>Empezar aquí</translation>
    </message>
    <message>
        <source>By its plan it takes more memory than is free. Techniques that take less can be added.</source>
        <translation>Según el plan, ocupa más memoria de la que hay libre. Se pueden añadir técnicas que ocupan menos.</translation>
    </message>
    <message>
        <source>This training does not fit. Start anyway?</source>
        <translation>Este entrenamiento no cabe. ¿Empezar de todos modos?</translation>
    </message>
    <message>
        <source>Add what makes it fit</source>
        <translation>Añadir lo que haga falta para que quepa</translation>
    </message>
    <message>
        <source>Send the images to {machine}?</source>
        <translation>¿Enviar las imágenes a {machine}?</translation>
    </message>
    <message>
        <source>Send and train</source>
        <translation>Enviar y entrenar</translation>
    </message>
    <message>
        <source>Do not ask again for {machine}</source>
        <translation>No volver a preguntar para {machine}</translation>
    </message>
    <message>
        <source>Do not send</source>
        <translation>No enviar</translation>
    </message>
</context>
<context>
    <name>SwitchDialog</name>
    <message>
        <source>Before it comes into use</source>
        <translation>Antes de usarlo</translation>
    </message>
    <message>
        <source>Before a model comes into use</source>
        <translation>Antes de que se use un modelo</translation>
    </message>
    <message>
        <source>Steps of the comparison</source>
        <translation>Pasos de la comparación</translation>
    </message>
</context>
<context>
    <name>Takes</name>
    <message>
        <source>This image is not in the list.</source>
        <translation>Esta imagen no está en la lista.</translation>
    </message>
    <message>
        <source>Open it again.</source>
        <translation>Ábrala de nuevo.</translation>
    </message>
    <message>
        <source>The model did not make this image.</source>
        <translation>El modelo no hizo esta imagen.</translation>
    </message>
    <message>
        <source>The pixels of this image are no longer in the cache.</source>
        <translation>Los píxeles de esta imagen ya no están en la caché.</translation>
    </message>
    <message>
        <source>Close the grading, remove the image from the list, open it again and resume.</source>
        <translation>Cierre la valoración, quite la imagen de la lista, ábrala de nuevo y reanude.</translation>
    </message>
</context>
<context>
    <name>TakesView</name>
    <message>
        <source>This pair cannot be shown.</source>
        <translation>No se puede mostrar este par.</translation>
    </message>
    <message>
        <source>Getting the image ready…</source>
        <translation>Preparando la imagen…</translation>
    </message>
</context>
<context>
    <name>TechniqueList</name>
    <message>
        <source>Techniques</source>
        <translation>Técnicas</translation>
    </message>
    <message>
        <source>All techniques</source>
        <translation>Todas las técnicas</translation>
    </message>
</context>
<context>
    <name>TechniqueRow</name>
    <message>
        <source>Technique {title}</source>
        <translation>Técnica {title}</translation>
    </message>
    <message>
        <source>not computed yet</source>
        <translation>aún sin calcular</translation>
    </message>
    <message>
        <source>same memory</source>
        <translation>igual memoria</translation>
    </message>
    <message>
        <source>same time</source>
        <translation>igual tiempo</translation>
    </message>
    <message>
        <source>{factor} × time</source>
        <translation>tiempo × {factor}</translation>
    </message>
    <message>
        <source>{memory}, {time}</source>
        <translation>{memory}, {time}</translation>
    </message>
    <message>
        <source>same memory and time</source>
        <translation>memoria y tiempo iguales</translation>
    </message>
    <message>
        <source>Without it: {change}</source>
        <translation>Sin ella: {change}</translation>
    </message>
    <message>
        <source>With it: {change}</source>
        <translation>Con ella: {change}</translation>
    </message>
    <message>
        <source>Use {title}</source>
        <translation>Usar {title}</translation>
    </message>
    <message>
        <source>{title}: mark</source>
        <translation>{title}: marca</translation>
    </message>
    <message>
        <source>{title}: what it changes</source>
        <translation>{title}: qué cambia</translation>
    </message>
    <message>
        <source>Source: {source}</source>
        <translation>Fuente: {source}</translation>
    </message>
    <message>
        <source>{title}: in a sentence</source>
        <translation>{title}: en una frase</translation>
    </message>
    <message>
        <source>{title}: why not</source>
        <translation>{title}: por qué no</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>Opciones</translation>
    </message>
    <message>
        <source>{title}: show options</source>
        <translation>{title}: mostrar las opciones</translation>
    </message>
</context>
<context>
    <name>TechniqueSide</name>
    <message>
        <source>Second step</source>
        <translation>Segundo paso</translation>
    </message>
    <message>
        <source>2  Size and techniques</source>
        <translation>2  Tamaño y técnicas</translation>
    </message>
    <message>
        <source>Second step, title</source>
        <translation>Segundo paso, título</translation>
    </message>
    <message>
        <source>Fit it for me…</source>
        <translation>Ajústelo por mí…</translation>
    </message>
    <message>
        <source>Let the planner choose techniques</source>
        <translation>Dejar que el planificador elija las técnicas</translation>
    </message>
    <message>
        <source>Techniques that save memory or time</source>
        <translation>Técnicas que ahorran memoria o tiempo</translation>
    </message>
    <message>
        <source>Techniques, caption</source>
        <translation>Técnicas, rótulo</translation>
    </message>
</context>
<context>
    <name>TrainPanel</name>
    <message>
        <source>Train</source>
        <translation>Entrenar</translation>
    </message>
    <message>
        <source>Three steps</source>
        <translation>Tres pasos</translation>
    </message>
    <message>
        <source>Third step, scrolled</source>
        <translation>Tercer paso, desplazable</translation>
    </message>
    <message>
        <source>When its members are complete, the ensemble is among your models.</source>
        <translation>Cuando sus miembros estén completos, el conjunto estará entre sus modelos.</translation>
    </message>
    <message>
        <source>Start again</source>
        <translation>Iniciar de nuevo</translation>
    </message>
</context>
<context>
    <name>UseDesk</name>
    <message>
        <source>What is used for a body part has been changed.</source>
        <translation>Se ha cambiado lo que se usa para una región anatómica.</translation>
    </message>
    <message>
        <source>{part}: from now on “Automatic” takes {model}.</source>
        <translation>{part}: a partir de ahora «Automático» usa {model}.</translation>
    </message>
    <message>
        <source>Back to the one before</source>
        <translation>Volver al anterior</translation>
    </message>
</context>
<context>
    <name>UseForm</name>
    <message>
        <source>What the model is for</source>
        <translation>Para qué es el modelo</translation>
    </message>
    <message>
        <source>Automatic: {kind}</source>
        <translation>Automático: {kind}</translation>
    </message>
    <message>
        <source>To be used on</source>
        <translation>Se usará con</translation>
    </message>
    <message>
        <source>To be used on, caption</source>
        <translation>Se usará con, rótulo</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automático</translation>
    </message>
    <message>
        <source>The images that the network will enhance. A network refuses images of a kind that it has not learnt from. Automatic takes the kinds that are in the folder.</source>
        <translation>Las imágenes que la red realzará. Una red rechaza las imágenes de un tipo del que no ha aprendido. «Automático» toma los tipos que hay en la carpeta.</translation>
    </message>
    <message>
        <source>What the model will be for</source>
        <translation>Para qué será el modelo</translation>
    </message>
</context>
<context>
    <name>VerdictBar</name>
    <message>
        <source>Verdict on the new model</source>
        <translation>Veredicto sobre el modelo nuevo</translation>
    </message>
    <message>
        <source>What the new model is worth</source>
        <translation>Lo que vale el modelo nuevo</translation>
    </message>
    <message>
        <source>Use for</source>
        <translation>Usar para</translation>
    </message>
    <message>
        <source>Grade {count} pairs blind…</source>
        <translation>Valorar {count} pares a ciegas…</translation>
    </message>
    <message>
        <source>Use the new model for a body part</source>
        <translation>Usar el modelo nuevo para una región anatómica</translation>
    </message>
    <message>
        <source>Grade the new model blind</source>
        <translation>Valorar a ciegas el modelo nuevo</translation>
    </message>
    <message>
        <source>Body parts to use the new model for</source>
        <translation>Regiones anatómicas para las que usar el modelo nuevo</translation>
    </message>
</context>
<context>
    <name>ViewBar</name>
    <message>
        <source>How to look at the images</source>
        <translation>Cómo mirar las imágenes</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Más</translation>
    </message>
    <message>
        <source>More ways to look</source>
        <translation>Más formas de mirar</translation>
    </message>
    <message>
        <source>More ways to look, choices</source>
        <translation>Más formas de mirar, opciones</translation>
    </message>
    <message>
        <source>Button: {action}</source>
        <translation>Botón: {action}</translation>
    </message>
    <message>
        <source>Choices: {action}</source>
        <translation>Opciones: {action}</translation>
    </message>
</context>
<context>
    <name>Viewing</name>
    <message>
        <source>Orange: the result shows what the image does not have. Blue: it hides what the image has.</source>
        <translation>Naranja: el resultado muestra lo que la imagen no tiene. Azul: oculta lo que la imagen tiene.</translation>
    </message>
    <message>
        <source>This result was not made by an ensemble: it has no members that disagree.</source>
        <translation>Este resultado no lo hizo un conjunto: no tiene miembros que discrepen.</translation>
    </message>
    <message>
        <source>Purple: there the members disagree, by half a percent of white (clear) to five (full). Where they agree, all may be wrong: it is no measure of truth.</source>
        <translation>Morado: ahí discrepan los miembros, desde medio por ciento del blanco (transparente) hasta cinco (pleno). Donde coinciden, todos pueden equivocarse: no es una medida de la verdad.</translation>
    </message>
    <message>
        <source>The measurements were saved.</source>
        <translation>Las mediciones se han guardado.</translation>
    </message>
</context>
<context>
    <name>WeightsDesk</name>
    <message>
        <source>A file of first weights stays on this computer: choose others.</source>
        <translation>Un archivo de pesos iniciales se queda en este equipo: elija otros.</translation>
    </message>
    <message>
        <source>There are no ImageNet weights for this encoder: choose other first weights.</source>
        <translation>No hay pesos de ImageNet para este codificador: elija otros pesos iniciales.</translation>
    </message>
    <message>
        <source>Fetch the ImageNet weights first, or choose other first weights.</source>
        <translation>Descargue antes los pesos de ImageNet o elija otros pesos iniciales.</translation>
    </message>
    <message>
        <source>First weights: none, the network starts from scratch.</source>
        <translation>Pesos iniciales: ninguno, la red parte de cero.</translation>
    </message>
    <message>
        <source>First weights: those of the model that ships.</source>
        <translation>Pesos iniciales: los del modelo que viene con el programa.</translation>
    </message>
    <message>
        <source>First weights: from a file.</source>
        <translation>Pesos iniciales: de un archivo.</translation>
    </message>
    <message>
        <source>First weights: ImageNet&apos;s, from this computer.</source>
        <translation>Pesos iniciales: los de ImageNet, de este ordenador.</translation>
    </message>
    <message>
        <source>First weights: ImageNet&apos;s, and the file on this computer is damaged.</source>
        <translation>Pesos iniciales: los de ImageNet, y el archivo de este ordenador está dañado.</translation>
    </message>
    <message>
        <source>First weights: ImageNet&apos;s, of which there are none for this encoder.</source>
        <translation>Pesos iniciales: los de ImageNet, que no existen para este codificador.</translation>
    </message>
    <message>
        <source>First weights: ImageNet&apos;s, which are not on this computer.</source>
        <translation>Pesos iniciales: los de ImageNet, que no están en este ordenador.</translation>
    </message>
    <message>
        <source>First weights: none, the network starts from scratch: ImageNet&apos;s are not on this computer.</source>
        <translation>Pesos iniciales: ninguno, la red parte de cero: los de ImageNet no están en este ordenador.</translation>
    </message>
    <message>
        <source>First weights: ImageNet&apos;s, which {machine} must have.</source>
        <translation>Pesos iniciales: los de ImageNet, que {machine} debe tener.</translation>
    </message>
    <message>
        <source>First weights: ImageNet&apos;s where {machine} has them, else none.</source>
        <translation>Pesos iniciales: los de ImageNet si {machine} los tiene; si no, ninguno.</translation>
    </message>
    <message>
        <source>{size} MB come from {host}, once for all trainings with this encoder. Nothing of yours is sent.</source>
        <translation>Se descargan {size} MB de {host}, una sola vez para todos los entrenamientos con este codificador. No se envía nada suyo.</translation>
    </message>
    <message>
        <source>Fetch</source>
        <translation>Descargar</translation>
    </message>
    <message>
        <source>Fetch the ImageNet weights?</source>
        <translation>¿Descargar los pesos de ImageNet?</translation>
    </message>
    <message>
        <source>Do not fetch</source>
        <translation>No descargar</translation>
    </message>
</context>
<context>
    <name>WeightsLine</name>
    <message>
        <source>First weights of the network</source>
        <translation>Pesos iniciales de la red</translation>
    </message>
    <message>
        <source>Which first weights</source>
        <translation>Qué pesos iniciales</translation>
    </message>
    <message>
        <source>Fetch ImageNet weights…</source>
        <translation>Descargar pesos de ImageNet…</translation>
    </message>
    <message>
        <source>Fetch ImageNet weights</source>
        <translation>Descargar pesos de ImageNet</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Stop fetching weights</source>
        <translation>Detener la descarga de pesos</translation>
    </message>
    <message>
        <source>Fetching ImageNet weights: {done} of {total} MB.</source>
        <translation>Descargando pesos de ImageNet: {done} de {total} MB.</translation>
    </message>
</context>
<context>
    <name>WhereBar</name>
    <message>
        <source>Enhance on</source>
        <translation>Realzar en</translation>
    </message>
    <message>
        <source>Enhance on, caption</source>
        <translation>Realzar en, rótulo</translation>
    </message>
    <message>
        <source>Machines that enhance</source>
        <translation>Máquinas que realzan</translation>
    </message>
    <message>
        <source>Machines that enhance, list</source>
        <translation>Máquinas que realzan, lista</translation>
    </message>
    <message>
        <source>Files are read and written on this computer. What another machine cannot do is done here.</source>
        <translation>Los archivos se leen y se escriben en este equipo. Lo que otra máquina no puede hacer se hace aquí.</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>Este equipo</translation>
    </message>
</context>
<context>
    <name>WhereDesk</name>
    <message>
        <source>Asking {machine} what it has…</source>
        <translation>Preguntando a {machine} qué tiene…</translation>
    </message>
    <message>
        <source>{why} Images are enhanced on {machine}.</source>
        <translation>{why} Las imágenes se realzan en {machine}.</translation>
    </message>
    <message>
        <source>Send and enhance</source>
        <translation>Enviar y realzar</translation>
    </message>
    <message>
        <source>Send the images to {machine}?</source>
        <translation>¿Enviar las imágenes a {machine}?</translation>
    </message>
    <message>
        <source>Do not send</source>
        <translation>No enviar</translation>
    </message>
    <message>
        <source>Do not ask again for {machine}</source>
        <translation>No volver a preguntar para {machine}</translation>
    </message>
    <message>
        <source>Images are enhanced on {machine} from now on.</source>
        <translation>Desde ahora las imágenes se realzan en {machine}.</translation>
    </message>
    <message>
        <source>this computer</source>
        <translation>este equipo</translation>
    </message>
    <message>
        <source>{machine} is not ready.</source>
        <translation>{machine} no está lista.</translation>
    </message>
    <message>
        <source>A machine does not do everything.</source>
        <translation>Una máquina no lo hace todo.</translation>
    </message>
</context>
<context>
    <name>WhereList</name>
    <message>
        <source>Where it runs</source>
        <translation>Dónde se ejecuta</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>Dónde</translation>
    </message>
    <message>
        <source>Where it runs, caption</source>
        <translation>Dónde se ejecuta, rótulo</translation>
    </message>
    <message>
        <source>Where it runs, all places</source>
        <translation>Dónde se ejecuta, todos los lugares</translation>
    </message>
    <message>
        <source>Where it runs, below each other</source>
        <translation>Dónde se ejecuta, uno debajo de otro</translation>
    </message>
    <message>
        <source>What the planner makes of the devices</source>
        <translation>Qué hace el planificador con los dispositivos</translation>
    </message>
</context>
<context>
    <name>WindowActions</name>
    <message>
        <source>Colours of the window</source>
        <translation>Colores de la ventana</translation>
    </message>
</context>
<context>
    <name>WorkerNews</name>
    <message>
        <source>Ready.</source>
        <translation>Listo.</translation>
    </message>
    <message>
        <source>{why} Your list is kept.</source>
        <translation>{why} Su lista se conserva.</translation>
    </message>
    <message>
        <source>Start again</source>
        <translation>Iniciar de nuevo</translation>
    </message>
    <message>
        <source>The worker is not running.</source>
        <translation>El proceso de trabajo no está en marcha.</translation>
    </message>
    <message>
        <source>It has given no sign of life for some seconds. Wait, or start another one. Your list is kept.</source>
        <translation>No da señales de vida desde hace unos segundos. Espere, o inicie otro. Su lista se conserva.</translation>
    </message>
    <message>
        <source>The worker does not answer.</source>
        <translation>El proceso de trabajo no responde.</translation>
    </message>
</context>
<context>
    <name>_Editor</name>
    <message>
        <source>{technique}: {option}, part</source>
        <translation>{technique}: {option}, parte</translation>
    </message>
    <message>
        <source>on</source>
        <translation>activado</translation>
    </message>
</context>
<context>
    <name>_Line</name>
    <message>
        <source>Question: {criterion}</source>
        <translation>Pregunta: {criterion}</translation>
    </message>
    <message>
        <source>The keys 1 to 5 answer this one.</source>
        <translation>Las teclas 1 a 5 responden esta.</translation>
    </message>
    <message>
        <source>left much better</source>
        <translation>izquierda mucho mejor</translation>
    </message>
    <message>
        <source>left better</source>
        <translation>izquierda mejor</translation>
    </message>
    <message>
        <source>equal</source>
        <translation>iguales</translation>
    </message>
    <message>
        <source>right better</source>
        <translation>derecha mejor</translation>
    </message>
    <message>
        <source>right much better</source>
        <translation>derecha mucho mejor</translation>
    </message>
</context>
<context>
    <name>about</name>
    <message>
        <source>About Fullfield</source>
        <translation>Acerca de Fullfield</translation>
    </message>
    <message>
        <source>Key {number}: {keys}</source>
        <translation>Tecla {number}: {keys}</translation>
    </message>
    <message>
        <source>Mouse and keys</source>
        <translation>Ratón y teclas</translation>
    </message>
    <message>
        <source>Left drag</source>
        <translation>Arrastrar con el botón izquierdo</translation>
    </message>
    <message>
        <source>window (sideways) and level (up and down), or the chosen tool</source>
        <translation>ventana (a los lados) y nivel (arriba y abajo), o la herramienta elegida</translation>
    </message>
    <message>
        <source>pan</source>
        <translation>desplazar</translation>
    </message>
    <message>
        <source>Middle drag, or left with Space held</source>
        <translation>Arrastrar con el botón central, o con el izquierdo y la barra espaciadora pulsada</translation>
    </message>
    <message>
        <source>Right drag</source>
        <translation>Arrastrar con el botón derecho</translation>
    </message>
    <message>
        <source>window of the values in the area that is drawn</source>
        <translation>ventana de los valores de la zona dibujada</translation>
    </message>
    <message>
        <source>Right click</source>
        <translation>Clic derecho</translation>
    </message>
    <message>
        <source>menu</source>
        <translation>menú</translation>
    </message>
    <message>
        <source>Wheel</source>
        <translation>Rueda</translation>
    </message>
    <message>
        <source>zoom at the cursor</source>
        <translation>zoom en el cursor</translation>
    </message>
    <message>
        <source>Double click</source>
        <translation>Doble clic</translation>
    </message>
    <message>
        <source>reset</source>
        <translation>restablecer</translation>
    </message>
    <message>
        <source>Arrows</source>
        <translation>Flechas</translation>
    </message>
    <message>
        <source>pan; with Shift: window and level; with Ctrl: the curtain</source>
        <translation>desplazar; con Mayús: ventana y nivel; con Ctrl: la cortina</translation>
    </message>
    <message>
        <source>{title}: text</source>
        <translation>{title}: texto</translation>
    </message>
</context>
<context>
    <name>accessible</name>
    <message>
        <source>vertical scroll bar</source>
        <translation>barra de desplazamiento vertical</translation>
    </message>
    <message>
        <source>horizontal scroll bar</source>
        <translation>barra de desplazamiento horizontal</translation>
    </message>
    <message>
        <source>menu</source>
        <translation>menú</translation>
    </message>
    <message>
        <source>text</source>
        <translation>texto</translation>
    </message>
    <message>
        <source>divider</source>
        <translation>divisor</translation>
    </message>
    <message>
        <source>slider</source>
        <translation>deslizador</translation>
    </message>
    <message>
        <source>list</source>
        <translation>lista</translation>
    </message>
    <message>
        <source>choice</source>
        <translation>selección</translation>
    </message>
    <message>
        <source>content</source>
        <translation>contenido</translation>
    </message>
    <message>
        <source>part</source>
        <translation>parte</translation>
    </message>
</context>
<context>
    <name>actions</name>
    <message>
        <source>Open files…</source>
        <translation>Abrir archivos…</translation>
    </message>
    <message>
        <source>Open folder…</source>
        <translation>Abrir carpeta…</translation>
    </message>
    <message>
        <source>Export selected</source>
        <translation>Exportar la selección</translation>
    </message>
    <message>
        <source>Export new</source>
        <translation>Exportar las nuevas</translation>
    </message>
    <message>
        <source>The enhanced images that are not exported yet</source>
        <translation>Las imágenes realzadas que aún no se han exportado</translation>
    </message>
    <message>
        <source>Export all again</source>
        <translation>Volver a exportar todo</translation>
    </message>
    <message>
        <source>All enhanced images, also those that are exported</source>
        <translation>Todas las imágenes realzadas, también las ya exportadas</translation>
    </message>
    <message>
        <source>Clear list</source>
        <translation>Vaciar la lista</translation>
    </message>
    <message>
        <source>All images leave the list; the files stay</source>
        <translation>Todas las imágenes salen de la lista; los archivos se conservan</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Deshacer</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Rehacer</translation>
    </message>
    <message>
        <source>Next image</source>
        <translation>Imagen siguiente</translation>
    </message>
    <message>
        <source>Previous image</source>
        <translation>Imagen anterior</translation>
    </message>
    <message>
        <source>Enhance selected again</source>
        <translation>Realzar de nuevo la selección</translation>
    </message>
    <message>
        <source>List by patient, study and series</source>
        <translation>Lista por paciente, estudio y serie</translation>
    </message>
    <message>
        <source>Or as one list, in the order in which the images were opened</source>
        <translation>O como una sola lista, en el orden en que se abrieron las imágenes</translation>
    </message>
    <message>
        <source>Filter the list</source>
        <translation>Filtrar la lista</translation>
    </message>
    <message>
        <source>By patient, ID, file, study, date or state</source>
        <translation>Por paciente, ID, archivo, estudio, fecha o estado</translation>
    </message>
    <message>
        <source>Adjust the preset…</source>
        <translation>Modificar el ajuste predefinido…</translation>
    </message>
    <message>
        <source>Show the parameters of the preset as sliders</source>
        <translation>Mostrar los parámetros del ajuste predefinido como deslizadores</translation>
    </message>
    <message>
        <source>Try again what failed or was cancelled</source>
        <translation>Reintentar lo que falló o se canceló</translation>
    </message>
    <message>
        <source>Of the selected images, or of all where none of them failed</source>
        <translation>De las imágenes seleccionadas, o de todas si ninguna de ellas falló</translation>
    </message>
    <message>
        <source>Pause the list</source>
        <translation>Pausar la lista</translation>
    </message>
    <message>
        <source>The image in hand is finished; nothing else is begun until you go on</source>
        <translation>La imagen en curso se termina; no se empieza ninguna otra hasta que usted continúe</translation>
    </message>
    <message>
        <source>Cancel what has not begun</source>
        <translation>Cancelar lo que no ha empezado</translation>
    </message>
    <message>
        <source>Remove selected from the list</source>
        <translation>Quitar la selección de la lista</translation>
    </message>
    <message>
        <source>The files stay</source>
        <translation>Los archivos se conservan</translation>
    </message>
    <message>
        <source>Grade blind…</source>
        <translation>Valorar a ciegas…</translation>
    </message>
    <message>
        <source>Compare two versions of each image without knowing which is which</source>
        <translation>Comparar dos versiones de cada imagen sin saber cuál es cuál</translation>
    </message>
    <message>
        <source>Window presets</source>
        <translation>Ventanas predefinidas</translation>
    </message>
    <message>
        <source>Turn</source>
        <translation>Girar</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>En paralelo</translation>
    </message>
    <message>
        <source>Before and after next to each other</source>
        <translation>El antes y el después, uno junto al otro</translation>
    </message>
    <message>
        <source>Curtain</source>
        <translation>Cortina</translation>
    </message>
    <message>
        <source>Before and after in one place; draw the edge between them</source>
        <translation>El antes y el después en el mismo lugar; arrastre el borde entre ambos</translation>
    </message>
    <message>
        <source>One at a time</source>
        <translation>De una en una</translation>
    </message>
    <message>
        <source>Single</source>
        <translation>Una</translation>
    </message>
    <message>
        <source>One image on the whole place; hold B for the other one</source>
        <translation>Una imagen en todo el espacio; mantenga pulsada B para ver la otra</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>Diferencia</translation>
    </message>
    <message>
        <source>After minus before as displayed, in colours</source>
        <translation>Después menos antes tal como se muestran, en colores</translation>
    </message>
    <message>
        <source>Blink</source>
        <translation>Alternar</translation>
    </message>
    <message>
        <source>Scale of the difference</source>
        <translation>Escala de la diferencia</translation>
    </message>
    <message>
        <source>The colours end at 100, 50, 25 or 10 percent in turn</source>
        <translation>Los colores terminan, por turno, en el 100, 50, 25 o 10 por ciento</translation>
    </message>
    <message>
        <source>Zoom and place together</source>
        <translation>Zoom y posición vinculados</translation>
    </message>
    <message>
        <source>Both images are looked at from the same place</source>
        <translation>Las dos imágenes se ven desde la misma posición</translation>
    </message>
    <message>
        <source>Windows together</source>
        <translation>Ventanas vinculadas</translation>
    </message>
    <message>
        <source>The window of both images changes by the same share of their values</source>
        <translation>La ventana de las dos imágenes cambia en la misma proporción de sus valores</translation>
    </message>
    <message>
        <source>Window and level</source>
        <translation>Ventana y nivel</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Ventana</translation>
    </message>
    <message>
        <source>Left drag changes window and level</source>
        <translation>Arrastrar con el botón izquierdo cambia la ventana y el nivel</translation>
    </message>
    <message>
        <source>Zoom tool</source>
        <translation>Herramienta de zoom</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>Zoom</translation>
    </message>
    <message>
        <source>Left drag zooms</source>
        <translation>Arrastrar con el botón izquierdo amplía o reduce</translation>
    </message>
    <message>
        <source>Pan tool</source>
        <translation>Herramienta de desplazamiento</translation>
    </message>
    <message>
        <source>Pan</source>
        <translation>Mover</translation>
    </message>
    <message>
        <source>Overlay: patient and exposure</source>
        <translation>Datos sobre la imagen: paciente y exposición</translation>
    </message>
    <message>
        <source>Show or hide name, dates and exposure in the corners of the images</source>
        <translation>Mostrar u ocultar el nombre, las fechas y la exposición en las esquinas de las imágenes</translation>
    </message>
    <message>
        <source>What was added, what was taken</source>
        <translation>Lo añadido y lo quitado</translation>
    </message>
    <message>
        <source>Side by side and one at a time: orange where the result shows what the image does not have, blue where it hides what it has</source>
        <translation>Lado a lado y de una en una: naranja donde el resultado muestra lo que la imagen no tiene, azul donde oculta lo que tiene</translation>
    </message>
    <message>
        <source>Where an ensemble disagrees</source>
        <translation>Dónde discrepa un conjunto</translation>
    </message>
    <message>
        <source>Side by side and one at a time, results of an ensemble: the stronger the purple, the more its members disagree. Where they agree, all may be wrong</source>
        <translation>Lado a lado y de una en una, resultados de un conjunto: cuanto más intenso el morado, más discrepan sus miembros. Donde coinciden, todos pueden equivocarse</translation>
    </message>
    <message>
        <source>Windows of the file</source>
        <translation>Ventanas del archivo</translation>
    </message>
    <message>
        <source>Left drag</source>
        <translation>Arrastrar con el botón izquierdo</translation>
    </message>
    <message>
        <source>What the mouse does in an image with its left button held</source>
        <translation>Lo que hace el ratón en una imagen con el botón izquierdo pulsado</translation>
    </message>
    <message>
        <source>Presets</source>
        <translation>Predefinidas</translation>
    </message>
    <message>
        <source>Windows to choose: the file&apos;s own, and usual ones</source>
        <translation>Ventanas que elegir: la propia del archivo y las habituales</translation>
    </message>
    <message>
        <source>Turn the images on the screen, or mirror them</source>
        <translation>Girar las imágenes en la pantalla o reflejarlas</translation>
    </message>
    <message>
        <source>What is shown with the images, and how</source>
        <translation>Lo que se muestra con las imágenes, y cómo</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>Ajustar</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Mostrar</translation>
    </message>
    <message>
        <source>Both</source>
        <translation>Ambas</translation>
    </message>
    <message>
        <source>Each place shows the other image while the key is held, or after a click</source>
        <translation>Cada lado muestra la otra imagen mientras se mantiene pulsada la tecla, o tras un clic</translation>
    </message>
    <message>
        <source>Left drag moves the image; with the middle button or the space bar it always does</source>
        <translation>Arrastrar con el botón izquierdo mueve la imagen; con el botón central o la barra espaciadora, siempre</translation>
    </message>
    <message>
        <source>Show the whole image</source>
        <translation>Mostrar la imagen entera</translation>
    </message>
    <message>
        <source>1:1</source>
        <translation>1:1</translation>
    </message>
    <message>
        <source>One image pixel on one pixel of the screen; of one that is not square, its shorter side</source>
        <translation>Un píxel de la imagen en un píxel de la pantalla; si no es cuadrado, su lado más corto</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>Ampliar</translation>
    </message>
    <message>
        <source>+</source>
        <translation>+</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>Reducir</translation>
    </message>
    <message>
        <source>−</source>
        <translation>−</translation>
    </message>
    <message>
        <source>Invert</source>
        <translation>Invertir</translation>
    </message>
    <message>
        <source>Exchange bright and dark</source>
        <translation>Intercambiar claros y oscuros</translation>
    </message>
    <message>
        <source>Turn right</source>
        <translation>Girar a la derecha</translation>
    </message>
    <message>
        <source>Turn left</source>
        <translation>Girar a la izquierda</translation>
    </message>
    <message>
        <source>Flip left and right</source>
        <translation>Voltear izquierda y derecha</translation>
    </message>
    <message>
        <source>Flip top and bottom</source>
        <translation>Voltear arriba y abajo</translation>
    </message>
    <message>
        <source>Reset view</source>
        <translation>Restablecer la vista</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Restablecer</translation>
    </message>
    <message>
        <source>Whole image, upright, through its own window</source>
        <translation>La imagen entera, derecha y con su propia ventana</translation>
    </message>
    <message>
        <source>Enhance</source>
        <translation>Realzar</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>Entrenar</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Entrenamientos</translation>
    </message>
    <message>
        <source>As in the file</source>
        <translation>Como en el archivo</translation>
    </message>
    <message>
        <source>Whole range</source>
        <translation>Rango completo</translation>
    </message>
    <message>
        <source>1st to 99th percentile</source>
        <translation>Percentiles 1 a 99</translation>
    </message>
    <message>
        <source>Bone: the bright half</source>
        <translation>Hueso: la mitad clara</translation>
    </message>
    <message>
        <source>Soft tissue: the middle half</source>
        <translation>Partes blandas: la mitad central</translation>
    </message>
    <message>
        <source>Lung and air: the dark half</source>
        <translation>Pulmón y aire: la mitad oscura</translation>
    </message>
    <message>
        <source>High contrast: 10th to 90th percentile</source>
        <translation>Contraste alto: percentiles 10 a 90</translation>
    </message>
    <message>
        <source>Soft ends: a sigmoid curve</source>
        <translation>Extremos suaves: una curva sigmoide</translation>
    </message>
    <message>
        <source>From the part that is in sight</source>
        <translation>Según la parte que se ve</translation>
    </message>
    <message>
        <source>Recent files</source>
        <translation>Archivos recientes</translation>
    </message>
    <message>
        <source>Preferences…</source>
        <translation>Preferencias…</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Salir</translation>
    </message>
    <message>
        <source>Colours of the window</source>
        <translation>Colores de la ventana</translation>
    </message>
    <message>
        <source>Two-minute tour</source>
        <translation>Visita de dos minutos</translation>
    </message>
    <message>
        <source>Mouse and keys</source>
        <translation>Ratón y teclas</translation>
    </message>
    <message>
        <source>Diagnose…</source>
        <translation>Diagnosticar…</translation>
    </message>
    <message>
        <source>About Fullfield</source>
        <translation>Acerca de Fullfield</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>Medir</translation>
    </message>
    <message>
        <source>Show measuring</source>
        <translation>Mostrar las mediciones</translation>
    </message>
    <message>
        <source>Show regions and lines with their numbers, or put them away</source>
        <translation>Mostrar u ocultar las regiones y líneas con sus números</translation>
    </message>
    <message>
        <source>Rectangle</source>
        <translation>Rectángulo</translation>
    </message>
    <message>
        <source>Left drag draws a rectangle; two regions give the contrast between them</source>
        <translation>Arrastrar con el botón izquierdo dibuja un rectángulo; dos regiones dan el contraste entre ellas</translation>
    </message>
    <message>
        <source>Ellipse</source>
        <translation>Elipse</translation>
    </message>
    <message>
        <source>Left drag draws an ellipse; two regions give the contrast between them</source>
        <translation>Arrastrar con el botón izquierdo dibuja una elipse; dos regiones dan el contraste entre ellas</translation>
    </message>
    <message>
        <source>Length and profile</source>
        <translation>Longitud y perfil</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>Línea</translation>
    </message>
    <message>
        <source>Left drag draws a line: its length, and the values along it</source>
        <translation>Arrastrar con el botón izquierdo dibuja una línea: su longitud y los valores a lo largo de ella</translation>
    </message>
    <message>
        <source>Add in the middle</source>
        <translation>Añadir en el centro</translation>
    </message>
    <message>
        <source>A region or a line without the mouse: arrows move it, with Shift its size</source>
        <translation>Una región o una línea sin el ratón: las flechas la mueven; con Mayús, cambian su tamaño</translation>
    </message>
    <message>
        <source>Choose the next one</source>
        <translation>Elegir la siguiente</translation>
    </message>
    <message>
        <source>Delete the chosen one</source>
        <translation>Eliminar la elegida</translation>
    </message>
    <message>
        <source>Delete all</source>
        <translation>Eliminar todas</translation>
    </message>
    <message>
        <source>&amp;Open the run</source>
        <translation>A&amp;brir el entrenamiento</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Abrir</translation>
    </message>
    <message>
        <source>Show the curves, memory and radiograph of the selected run.</source>
        <translation>Mostrar las curvas, la memoria y la radiografía del entrenamiento seleccionado.</translation>
    </message>
    <message>
        <source>&amp;All runs</source>
        <translation>T&amp;odos los entrenamientos</translation>
    </message>
    <message>
        <source>Back to the list of runs.</source>
        <translation>Volver a la lista de entrenamientos.</translation>
    </message>
    <message>
        <source>&amp;Name and notes…</source>
        <translation>&amp;Nombre y notas…</translation>
    </message>
    <message>
        <source>Name and notes…</source>
        <translation>Nombre y notas…</translation>
    </message>
    <message>
        <source>Give the run a name, and write notes of it.</source>
        <translation>Poner nombre al entrenamiento y tomar notas sobre él.</translation>
    </message>
    <message>
        <source>Save a &amp;report…</source>
        <translation>Guardar un in&amp;forme…</translation>
    </message>
    <message>
        <source>Report…</source>
        <translation>Informe…</translation>
    </message>
    <message>
        <source>Save a report of the run as HTML or PDF.</source>
        <translation>Guardar un informe del entrenamiento como HTML o PDF.</translation>
    </message>
    <message>
        <source>Make an &amp;ensemble of these</source>
        <translation>Hacer un &amp;conjunto con estos</translation>
    </message>
    <message>
        <source>One model of the selected runs, which are complete: it gives the mean of their results.</source>
        <translation>Un solo modelo de los entrenamientos elegidos, que están completos: da la media de sus resultados.</translation>
    </message>
    <message>
        <source>&amp;Delete…</source>
        <translation>&amp;Eliminar…</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>Eliminar…</translation>
    </message>
    <message>
        <source>Delete the selected runs and all that they left.</source>
        <translation>Eliminar los entrenamientos seleccionados y todo lo que dejaron.</translation>
    </message>
    <message>
        <source>&amp;Models…</source>
        <translation>&amp;Modelos…</translation>
    </message>
    <message>
        <source>Models…</source>
        <translation>Modelos…</translation>
    </message>
    <message>
        <source>Your models: import, export, choose for a body part, remove.</source>
        <translation>Sus modelos: importar, exportar, elegir para una región anatómica, quitar.</translation>
    </message>
    <message>
        <source>Choose the folder of images…</source>
        <translation>Elegir la carpeta de imágenes…</translation>
    </message>
    <message>
        <source>Fit it for me…</source>
        <translation>Ajústelo por mí…</translation>
    </message>
    <message>
        <source>Start the training</source>
        <translation>Empezar el entrenamiento</translation>
    </message>
    <message>
        <source>Review references…</source>
        <translation>Revisar las referencias…</translation>
    </message>
    <message>
        <source>Approve the reference</source>
        <translation>Aprobar la referencia</translation>
    </message>
    <message>
        <source>✓ Approve</source>
        <translation>✓ Aprobar</translation>
    </message>
    <message>
        <source>It is good to learn from, as it is seen here</source>
        <translation>Tal como se ve aquí, sirve para aprender de ella</translation>
    </message>
    <message>
        <source>Reject the reference</source>
        <translation>Rechazar la referencia</translation>
    </message>
    <message>
        <source>✕ Reject</source>
        <translation>✕ Rechazar</translation>
    </message>
    <message>
        <source>The image is left out of the training</source>
        <translation>La imagen se deja fuera del entrenamiento</translation>
    </message>
    <message>
        <source>Take the verdict back</source>
        <translation>Anular el veredicto</translation>
    </message>
    <message>
        <source>Take back</source>
        <translation>Anular</translation>
    </message>
    <message>
        <source>Next reference</source>
        <translation>Referencia siguiente</translation>
    </message>
    <message>
        <source>Next →</source>
        <translation>Siguiente →</translation>
    </message>
    <message>
        <source>Previous reference</source>
        <translation>Referencia anterior</translation>
    </message>
    <message>
        <source>← Previous</source>
        <translation>← Anterior</translation>
    </message>
</context>
<context>
    <name>asking</name>
    <message>
        <source>A training is running. It can go on without the window; open Fullfield to see it again.</source>
        <translation>Hay un entrenamiento en marcha. Puede seguir sin la ventana; abra Fullfield para volver a verlo.</translation>
    </message>
    <message>
        <source>{count} trainings are running. They can go on without the window; open Fullfield to see them again.</source>
        <translation>Hay {count} entrenamientos en marcha. Pueden seguir sin la ventana; abra Fullfield para volver a verlos.</translation>
    </message>
    <message>
        <source>Close while a training runs?</source>
        <translation>¿Cerrar mientras hay un entrenamiento en marcha?</translation>
    </message>
    <message>
        <source>Let it go on without the window</source>
        <translation>Dejar que siga sin la ventana</translation>
    </message>
    <message>
        <source>Stop and keep</source>
        <translation>Detener y conservar</translation>
    </message>
    <message>
        <source>Go back</source>
        <translation>Volver</translation>
    </message>
    <message>
        <source>Cancel and discard this run?</source>
        <translation>¿Cancelar y descartar este entrenamiento?</translation>
    </message>
    <message>
        <source>The training ends at once. Its model, curves and images are deleted for good.</source>
        <translation>El entrenamiento termina en el acto. Su modelo, sus curvas y sus imágenes se eliminan definitivamente.</translation>
    </message>
    <message>
        <source>Cancel and discard</source>
        <translation>Cancelar y descartar</translation>
    </message>
    <message>
        <source>Its model, curves and images are deleted for good. Models that you have kept stay.</source>
        <translation>Su modelo, sus curvas y sus imágenes se eliminan definitivamente. Los modelos que haya guardado se conservan.</translation>
    </message>
    <message>
        <source>The models, curves and images of {count} runs are deleted for good. Models that you have kept stay.</source>
        <translation>Los modelos, las curvas y las imágenes de {count} entrenamientos se eliminan definitivamente. Los modelos que haya guardado se conservan.</translation>
    </message>
    <message>
        <source>Delete the run?</source>
        <translation>¿Eliminar el entrenamiento?</translation>
    </message>
    <message>
        <source>Delete the runs?</source>
        <translation>¿Eliminar los entrenamientos?</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Eliminar</translation>
    </message>
</context>
<context>
    <name>calibration</name>
    <message>
        <source>{length} px</source>
        <translation>{length} px</translation>
    </message>
    <message>
        <source>{length} mm at the detector</source>
        <translation>{length} mm en el detector</translation>
    </message>
    <message>
        <source>{length} mm</source>
        <translation>{length} mm</translation>
    </message>
    <message>
        <source>{area} mm² at the detector</source>
        <translation>{area} mm² en el detector</translation>
    </message>
    <message>
        <source>{area} mm²</source>
        <translation>{area} mm²</translation>
    </message>
    <message>
        <source>The file says of the pixels only that they are not square: lengths are in shorter sides of a pixel.</source>
        <translation>El archivo solo dice de los píxeles que no son cuadrados: las longitudes están en lados cortos de un píxel.</translation>
    </message>
    <message>
        <source>The file says nothing of the size of a pixel: lengths are in pixels.</source>
        <translation>El archivo no indica el tamaño del píxel: las longitudes se dan en píxeles.</translation>
    </message>
    <message>
        <source>Millimetres by the size of a pixel in the file.</source>
        <translation>Milímetros según el tamaño del píxel que indica el archivo.</translation>
    </message>
    <message>
        <source>Millimetres by the file&apos;s Pixel Spacing.</source>
        <translation>Milímetros según el valor Pixel Spacing del archivo.</translation>
    </message>
    <message>
        <source>Millimetres at the detector: the patient&apos;s own are smaller by the magnification, which the file does not say.</source>
        <translation>Milímetros en el detector: en el paciente son menos, según la ampliación, que el archivo no indica.</translation>
    </message>
    <message>
        <source>Millimetres in the patient, by the magnification that the file estimates.</source>
        <translation>Milímetros en el paciente, según la ampliación que estima el archivo.</translation>
    </message>
    <message>
        <source>Millimetres on the film that was scanned.</source>
        <translation>Milímetros en la película digitalizada.</translation>
    </message>
</context>
<context>
    <name>card</name>
    <message>
        <source>Not worth using</source>
        <translation>No merece la pena usarlo</translation>
    </message>
    <message>
        <source>Beware</source>
        <translation>Atención</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modelo</translation>
    </message>
    <message>
        <source>Made for</source>
        <translation>Hecho para</translation>
    </message>
    <message>
        <source>Kinds of images</source>
        <translation>Tipos de imagen</translation>
    </message>
    <message>
        <source>Trained on</source>
        <translation>Entrenado con</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>Escala</translation>
    </message>
    <message>
        <source>On images held back</source>
        <translation>Con imágenes reservadas</translation>
    </message>
    <message>
        <source>Beside what was used before</source>
        <translation>Frente a lo que se usaba antes</translation>
    </message>
    <message>
        <source>Signals seen, by how well presets show them</source>
        <translation>Señales vistas, frente a los ajustes predefinidos</translation>
    </message>
    <message>
        <source>Left to the preset</source>
        <translation>Se dejan al ajuste predefinido</translation>
    </message>
    <message>
        <source>Trained with</source>
        <translation>Técnicas usadas</translation>
    </message>
    <message>
        <source>Licence of the data</source>
        <translation>Licencia de los datos</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Red</translation>
    </message>
    <message>
        <source>Size of the file</source>
        <translation>Tamaño del archivo</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>Versiones</translation>
    </message>
    <message>
        <source>raw images, as the detector gives them</source>
        <translation>imágenes sin procesar, tal como las da el detector</translation>
    </message>
    <message>
        <source>images that are processed for display</source>
        <translation>imágenes procesadas para mostrarse</translation>
    </message>
    <message>
        <source>raw and processed images</source>
        <translation>imágenes sin procesar y procesadas</translation>
    </message>
    <message>
        <source>Its weights are for tests: nobody trained it, and its pictures are of no use.</source>
        <translation>Sus pesos son de prueba: nadie lo ha entrenado, y sus imágenes no sirven para nada.</translation>
    </message>
    <message>
        <source>It was never measured on images that it had not seen.</source>
        <translation>Nunca se ha medido con imágenes que no hubiera visto.</translation>
    </message>
    <message>
        <source>It has seen {count} images only: it may fail on others.</source>
        <translation>Solo ha visto {count} imágenes: puede fallar con otras.</translation>
    </message>
    <message>
        <source>It does not say at which scale it was trained.</source>
        <translation>No indica a qué escala se entrenó.</translation>
    </message>
    <message>
        <source>It does not say what the owner of its data allows.</source>
        <translation>No indica qué permite el propietario de sus datos.</translation>
    </message>
    <message>
        <source>{count} images, size: {size}</source>
        <translation>{count} imágenes, tamaño: {size}</translation>
    </message>
    <message>
        <source>{network}, an ensemble of {count}: figures are the mean of its members&apos; own</source>
        <translation>{network}, un conjunto de {count}: las cifras son la media de las de sus miembros</translation>
    </message>
    <message>
        <source>about {pixels} pixels on the longer side</source>
        <translation>unos {pixels} píxeles en el lado mayor</translation>
    </message>
    <message>
        <source>{spacing} mm per pixel</source>
        <translation>{spacing} mm por píxel</translation>
    </message>
    <message>
        <source>it draws at this scale, and keeps the detail of finer images as it is</source>
        <translation>dibuja a esta escala y conserva tal cual el detalle de las imágenes más finas</translation>
    </message>
    <message>
        <source>loss {loss} (100·(1 − MS-SSIM), lower is better)</source>
        <translation>pérdida {loss} (100·(1 − MS-SSIM), cuanto menor, mejor)</translation>
    </message>
    <message>
        <source>of it on raw input {raw}, on processed input {processed}</source>
        <translation>de ella, con entrada sin procesar {raw}, con entrada procesada {processed}</translation>
    </message>
    <message>
        <source>of it on simulated raw input {simulated}</source>
        <translation>de ella, con entrada sin procesar simulada {simulated}</translation>
    </message>
    <message>
        <source>PSNR {psnr} dB</source>
        <translation>PSNR {psnr} dB</translation>
    </message>
</context>
<context>
    <name>core</name>
    <message>
        <source>A batch of one image cannot be divided.</source>
        <translation>Un lote de una sola imagen no se puede dividir.</translation>
    </message>
    <message>
        <source>A file of that name is in the folder.</source>
        <translation>En la carpeta ya hay un archivo con ese nombre.</translation>
    </message>
    <message>
        <source>A preset that ships with Fullfield has this name.</source>
        <translation>Un ajuste predefinido incluido en Fullfield ya tiene este nombre.</translation>
    </message>
    <message>
        <source>Abdomen, pelvis and hips</source>
        <translation>Abdomen, pelvis y caderas</translation>
    </message>
    <message>
        <source>Abdomen, pelvis and hips, raw input</source>
        <translation>Abdomen, pelvis y caderas, sin procesar</translation>
    </message>
    <message>
        <source>All of its checkpoints are damaged.</source>
        <translation>Todos sus puntos guardados están dañados.</translation>
    </message>
    <message>
        <source>Animals: limbs and skull</source>
        <translation>Animales: extremidades y cráneo</translation>
    </message>
    <message>
        <source>Animals: limbs and skull, raw input</source>
        <translation>Animales: extremidades y cráneo, sin procesar</translation>
    </message>
    <message>
        <source>Another process is training in it.</source>
        <translation>Otro proceso está entrenando en ella.</translation>
    </message>
    <message>
        <source>Another run of Fullfield is writing into it.</source>
        <translation>Otra ejecución de Fullfield está escribiendo en ella.</translation>
    </message>
    <message>
        <source>Another window is writing its own.</source>
        <translation>Otra ventana está escribiendo la suya.</translation>
    </message>
    <message>
        <source>Begin a new grading.</source>
        <translation>Empiece una valoración nueva.</translation>
    </message>
    <message>
        <source>Bring checkpoints/index.json back, or start again in a new folder.</source>
        <translation>Recupere checkpoints/index.json, o empiece de nuevo en otra carpeta.</translation>
    </message>
    <message>
        <source>Building the network (the first time this can take a minute)</source>
        <translation>Construyendo la red (la primera vez puede tardar un minuto)</translation>
    </message>
    <message>
        <source>Cannot build the network.</source>
        <translation>No se puede construir la red.</translation>
    </message>
    <message>
        <source>Cannot checkpoint by optimal before its plan is known.</source>
        <translation>No se pueden poner puntos de control con optimal antes de conocer su plan.</translation>
    </message>
    <message>
        <source>Cannot delete this run.</source>
        <translation>No se puede eliminar este entrenamiento.</translation>
    </message>
    <message>
        <source>Cannot enhance the image.</source>
        <translation>No se puede realzar la imagen.</translation>
    </message>
    <message>
        <source>Cannot export the image.</source>
        <translation>No se puede exportar la imagen.</translation>
    </message>
    <message>
        <source>Cannot find anything to train on in the data.</source>
        <translation>No hay en los datos nada con lo que entrenar.</translation>
    </message>
    <message>
        <source>Cannot go on with this training.</source>
        <translation>No se puede continuar este entrenamiento.</translation>
    </message>
    <message>
        <source>Cannot keep the verdict.</source>
        <translation>No se puede guardar la decisión.</translation>
    </message>
    <message>
        <source>Cannot make a report of that kind.</source>
        <translation>No se puede hacer un informe de ese tipo.</translation>
    </message>
    <message>
        <source>Cannot make a report.</source>
        <translation>No se puede hacer el informe.</translation>
    </message>
    <message>
        <source>Cannot open the window.</source>
        <translation>No se puede abrir la ventana.</translation>
    </message>
    <message>
        <source>Cannot plan this training.</source>
        <translation>No se puede planificar este entrenamiento.</translation>
    </message>
    <message>
        <source>Cannot read a file of an archive.</source>
        <translation>No se puede leer un archivo contenido en un ZIP.</translation>
    </message>
    <message>
        <source>Cannot read a saved grading.</source>
        <translation>No se puede leer una valoración guardada.</translation>
    </message>
    <message>
        <source>Cannot read the file.</source>
        <translation>No se puede leer el archivo.</translation>
    </message>
    <message>
        <source>Cannot read the list of inputs.</source>
        <translation>No se puede leer la lista de entradas.</translation>
    </message>
    <message>
        <source>Cannot read the preset.</source>
        <translation>No se puede leer el ajuste predefinido.</translation>
    </message>
    <message>
        <source>Cannot read the training data.</source>
        <translation>No se pueden leer los datos de entrenamiento.</translation>
    </message>
    <message>
        <source>Cannot read this file.</source>
        <translation>No se puede leer este archivo.</translation>
    </message>
    <message>
        <source>Cannot save a checkpoint.</source>
        <translation>No se puede guardar el estado del entrenamiento.</translation>
    </message>
    <message>
        <source>Cannot save the preset.</source>
        <translation>No se puede guardar el ajuste predefinido.</translation>
    </message>
    <message>
        <source>Cannot show the reference.</source>
        <translation>No se puede mostrar la referencia.</translation>
    </message>
    <message>
        <source>Cannot split the data into a training and a validation part.</source>
        <translation>No se pueden repartir los datos entre entrenamiento y validación.</translation>
    </message>
    <message>
        <source>Cannot start the decoder.</source>
        <translation>No se puede iniciar el descodificador.</translation>
    </message>
    <message>
        <source>Cannot start this run.</source>
        <translation>No se puede iniciar este entrenamiento.</translation>
    </message>
    <message>
        <source>Cannot train at this size.</source>
        <translation>No se puede entrenar con este tamaño.</translation>
    </message>
    <message>
        <source>Cannot train in this folder.</source>
        <translation>No se puede entrenar en esta carpeta.</translation>
    </message>
    <message>
        <source>Cannot train on the prepared data.</source>
        <translation>No se puede entrenar con los datos preparados.</translation>
    </message>
    <message>
        <source>Cannot train with these settings.</source>
        <translation>No se puede entrenar con estos ajustes.</translation>
    </message>
    <message>
        <source>Cannot train with these techniques here.</source>
        <translation>Aquí no se puede entrenar con estas técnicas.</translation>
    </message>
    <message>
        <source>Cannot use the model file.</source>
        <translation>No se puede usar el archivo del modelo.</translation>
    </message>
    <message>
        <source>Cannot use the network&apos;s weights.</source>
        <translation>No se pueden usar los pesos de la red.</translation>
    </message>
    <message>
        <source>Cannot use the prepared training data.</source>
        <translation>No se pueden usar los datos de entrenamiento preparados.</translation>
    </message>
    <message>
        <source>Cannot work on the image.</source>
        <translation>No se puede trabajar con la imagen.</translation>
    </message>
    <message>
        <source>Cannot write a file into the chosen folder.</source>
        <translation>No se puede escribir en la carpeta elegida.</translation>
    </message>
    <message>
        <source>Cannot write an enhanced image.</source>
        <translation>No se puede escribir una imagen realzada.</translation>
    </message>
    <message>
        <source>Cannot write into the output folder.</source>
        <translation>No se puede escribir en la carpeta de salida.</translation>
    </message>
    <message>
        <source>Cannot write the enhanced image.</source>
        <translation>No se puede escribir la imagen realzada.</translation>
    </message>
    <message>
        <source>Cannot write the log file.</source>
        <translation>No se puede escribir el archivo de registro.</translation>
    </message>
    <message>
        <source>Change them.</source>
        <translation>Cámbielos.</translation>
    </message>
    <message>
        <source>Enhancing on {0} in {1}, each up to {2} of the image&apos;s rows.</source>
        <translation>Realzando en {0}, en {1}: cada una hasta {2} filas de la imagen.</translation>
    </message>
    <message>
        <source>Enhancing on {0} in {1}, in {2} tiles of up to {3} × {4} pixels with {5}, for the whole image does not fit into memory.</source>
        <translation>Realzando en {0}, en {1}: en {2} teselas de hasta {3} × {4} píxeles con {5}, pues la imagen entera no cabe en la memoria.</translation>
    </message>
    <message>
        <source>Enhancing on {0} in {1}, the whole image at once.</source>
        <translation>Realzando en {0}, en {1}: la imagen entera de una vez.</translation>
    </message>
    <message>
        <source>Its name ends neither in .html nor in .pdf.</source>
        <translation>Su nombre no termina en .html ni en .pdf.</translation>
    </message>
    <message>
        <source>No epoch has a validation loss; the model is the last one.</source>
        <translation>Ninguna época tiene una pérdida de validación; el modelo es el último.</translation>
    </message>
    <message>
        <source>Rename it.</source>
        <translation>Cámbiele el nombre.</translation>
    </message>
    <message>
        <source>Check that it is still there.</source>
        <translation>Compruebe que siga ahí.</translation>
    </message>
    <message>
        <source># {0}; {1}, {2} … {3}; source: {4}</source>
        <translation># {0}; {1}, {2} … {3}; fuente: {4}</translation>
    </message>
    <message>
        <source>% of the field&apos;s pixels</source>
        <translation>% de los píxeles del campo</translation>
    </message>
    <message>
        <source>, {0} kept apart to judge the model by</source>
        <translation>, {0} apartadas para juzgar el modelo</translation>
    </message>
    <message>
        <source>97th percentiles of the level</source>
        <translation>percentiles 97 del nivel</translation>
    </message>
    <message>
        <source>A GPU is here.</source>
        <translation>Aquí hay una GPU.</translation>
    </message>
    <message>
        <source>A batch of {0} images is not divided by {1} at a time.</source>
        <translation>Un lote de {0} imágenes no se divide en grupos de {1}.</translation>
    </message>
    <message>
        <source>A batch of {0} is larger than the set: an update has {1} images, and an epoch is one update.</source>
        <translation>Un lote de {0} es mayor que el conjunto: una actualización tiene {1} imágenes, y una época es una sola actualización.</translation>
    </message>
    <message>
        <source>A card and the CPU round to {0} at other places than one another.</source>
        <translation>Una tarjeta y la CPU redondean a {0} en lugares distintos.</translation>
    </message>
    <message>
        <source>A connection between nodes has broken.</source>
        <translation>Se ha roto una conexión entre nodos.</translation>
    </message>
    <message>
        <source>A file cannot be written.</source>
        <translation>No se puede escribir un archivo.</translation>
    </message>
    <message>
        <source>A file has become shorter.</source>
        <translation>Un archivo se ha acortado.</translation>
    </message>
    <message>
        <source>A file of that name has come into the folder meanwhile.</source>
        <translation>Entretanto ha llegado a la carpeta un archivo con ese nombre.</translation>
    </message>
    <message>
        <source>A file of that name is in the output folder: not written by Fullfield, or changed since.</source>
        <translation>En la carpeta de salida hay un archivo con ese nombre: no lo escribió Fullfield, o se ha cambiado desde entonces.</translation>
    </message>
    <message>
        <source>A folder has the name of a checkpoint.</source>
        <translation>Una carpeta tiene el nombre de un punto de control.</translation>
    </message>
    <message>
        <source>A library crashed{0}.</source>
        <translation>Una biblioteca ha fallado{0}.</translation>
    </message>
    <message>
        <source>A look-up table of the file is malformed; it was left aside.</source>
        <translation>Una tabla de consulta del archivo está mal formada; se ha dejado de lado.</translation>
    </message>
    <message>
        <source>A process on {0} has ended without a word.</source>
        <translation>Un proceso en {0} ha terminado sin decir nada.</translation>
    </message>
    <message>
        <source>A sequence ends before its own length.</source>
        <translation>Una secuencia termina antes de lo que indica su longitud.</translation>
    </message>
    <message>
        <source>A sequence holds {0} where an item should stand.</source>
        <translation>Una secuencia contiene {0} donde debería haber un elemento.</translation>
    </message>
    <message>
        <source>A specimen of each was read as it should be: {0}.</source>
        <translation>Se ha leído correctamente una muestra de cada uno: {0}.</translation>
    </message>
    <message>
        <source>A step at this size needs more than the {0} has free.</source>
        <translation>Con este tamaño, un paso necesita más memoria de la libre ({0}).</translation>
    </message>
    <message>
        <source>A step has from 1 to {0} images.</source>
        <translation>Un paso tiene de 1 a {0} imágenes.</translation>
    </message>
    <message>
        <source>A technique needs another one.</source>
        <translation>Una técnica necesita otra.</translation>
    </message>
    <message>
        <source>A value is missing or wrong: the caller is of another version.</source>
        <translation>Falta un valor o es erróneo: quien llama es de otra versión.</translation>
    </message>
    <message>
        <source>A window of the file does not fit its pixels; it was left aside.</source>
        <translation>Una ventana del archivo no corresponde a sus píxeles; se ha dejado de lado.</translation>
    </message>
    <message>
        <source>A window of the file is malformed; it was left aside.</source>
        <translation>Una ventana del archivo está mal formada; se ha dejado de lado.</translation>
    </message>
    <message>
        <source>About {0} MB come from the Python Package Index and {1}. Nothing of yours is sent.</source>
        <translation>Unos {0} MB vienen del índice de paquetes de Python (PyPI) y de {1}. No se envía nada suyo.</translation>
    </message>
    <message>
        <source>About {0} MB come from the Python Package Index. Nothing of yours is sent.</source>
        <translation>Unos {0} MB vienen del índice de paquetes de Python (PyPI). No se envía nada suyo.</translation>
    </message>
    <message>
        <source>About {0} MB come from the package index that pip is set to ({1}). Nothing of yours is sent.</source>
        <translation>Unos {0} MB vienen del índice de paquetes que pip tiene configurado ({1}). No se envía nada suyo.</translation>
    </message>
    <message>
        <source>About {0} MB come from where pip is set to. Nothing of yours is sent.</source>
        <translation>Unos {0} MB vienen de donde pip tiene configurado. No se envía nada suyo.</translation>
    </message>
    <message>
        <source>Add images of other patients, or train without --compare.</source>
        <translation>Añada imágenes de otros pacientes, o entrene sin --compare.</translation>
    </message>
    <message>
        <source>Add it, or leave this one out.</source>
        <translation>Añádala, o quite esta.</translation>
    </message>
    <message>
        <source>Add it: fullfield node add.</source>
        <translation>Añádalo: fullfield node add.</translation>
    </message>
    <message>
        <source>All are there.</source>
        <translation>Están todas.</translation>
    </message>
    <message>
        <source>All files beside it are opened instead.</source>
        <translation>En su lugar se abren todos los archivos que están junto a él.</translation>
    </message>
    <message>
        <source>Allow it: fullfield node add {0} {1} --allow-images.</source>
        <translation>Permítalo: fullfield node add {0} {1} --allow-images.</translation>
    </message>
    <message>
        <source>Allow it: {0}.</source>
        <translation>Permítalo: {0}.</translation>
    </message>
    <message>
        <source>An attribute stands twice in the file; the first one counts.</source>
        <translation>Un atributo aparece dos veces en el archivo; cuenta el primero.</translation>
    </message>
    <message>
        <source>An error that we did not foresee: {0}.</source>
        <translation>Un error que no habíamos previsto: {0}.</translation>
    </message>
    <message>
        <source>An image has not arrived.</source>
        <translation>Una imagen no ha llegado.</translation>
    </message>
    <message>
        <source>An image of which a part is missing was noticed.</source>
        <translation>Se detectó una imagen a la que le falta una parte.</translation>
    </message>
    <message>
        <source>An image of which a part is missing was read as if it were whole: {0}.</source>
        <translation>Una imagen a la que le falta una parte se leyó como si estuviera íntegra: {0}.</translation>
    </message>
    <message>
        <source>An image that arrived is not the one that was meant.</source>
        <translation>Una imagen que ha llegado no es la que debía.</translation>
    </message>
    <message>
        <source>An imported picture is processed for display already.</source>
        <translation>Una imagen importada ya está procesada para mostrarse.</translation>
    </message>
    <message>
        <source>An item ends before its own length.</source>
        <translation>Un elemento de secuencia termina antes de lo que indica su longitud.</translation>
    </message>
    <message>
        <source>An item is longer than the sequence that holds it.</source>
        <translation>Un elemento es más largo que la secuencia que lo contiene.</translation>
    </message>
    <message>
        <source>An optimizer in eight bits saves 1.5 times the bytes of the weights, whatever the size of the images.</source>
        <translation>Un optimizador en ocho bits ahorra 1,5 veces los bytes de los pesos, sea cual sea el tamaño de las imágenes.</translation>
    </message>
    <message>
        <source>An optimizer in four bits saves 1.7 times the bytes of the weights, whatever the size of the images.</source>
        <translation>Un optimizador en cuatro bits ahorra 1,7 veces los bytes de los pesos, sea cual sea el tamaño de las imágenes.</translation>
    </message>
    <message>
        <source>Another of its processes has ended.</source>
        <translation>Otro de sus procesos ha terminado.</translation>
    </message>
    <message>
        <source>Another process is making scenes there.</source>
        <translation>Otro proceso está creando escenas en ella.</translation>
    </message>
    <message>
        <source>Another run of Fullfield is writing into it: on the computer {0}, since {1}.</source>
        <translation>Otra ejecución de Fullfield está escribiendo en ella: en el equipo {0}, desde {1}.</translation>
    </message>
    <message>
        <source>Another run of Fullfield is writing into it: process {0}, started by process {1}, since {2}.</source>
        <translation>Otra ejecución de Fullfield está escribiendo en ella: el proceso {0}, iniciado por el proceso {1}, desde {2}.</translation>
    </message>
    <message>
        <source>Another window has changed it since it was opened here.</source>
        <translation>Otra ventana la ha cambiado desde que se abrió aquí.</translation>
    </message>
    <message>
        <source>As an 8-bit model the validation loss is {0}, with 32 bits {1} (lower is better); its weights take {2} MB instead of {3} MB.</source>
        <translation>Como modelo de 8 bits, la pérdida de validación es {0}; con 32 bits, {1} (cuanto menor, mejor); sus pesos ocupan {2} MB en lugar de {3} MB.</translation>
    </message>
    <message>
        <source>Ask IT to look at it.</source>
        <translation>Pida a informática que lo examine.</translation>
    </message>
    <message>
        <source>Ask IT to start it.</source>
        <translation>Pida a informática que lo inicie.</translation>
    </message>
    <message>
        <source>Ask IT whether that is the network of these machines, and whether a firewall closes its ports.</source>
        <translation>Pregunte a informática si esa es la red de estas máquinas y si un cortafuegos cierra sus puertos.</translation>
    </message>
    <message>
        <source>Ask IT whether the key was changed. Until then nothing is sent.</source>
        <translation>Pregunte a informática si se cambió la clave. Hasta entonces no se envía nada.</translation>
    </message>
    <message>
        <source>Ask IT which: {0}.</source>
        <translation>Pregunte a Informática cuál: {0}.</translation>
    </message>
    <message>
        <source>Ask who runs it; pip&apos;s own settings hold.</source>
        <translation>Pregunte a quien lo administra; valen los ajustes propios de pip.</translation>
    </message>
    <message>
        <source>At {0} a process takes {1} on {2}, which has {3} for it.</source>
        <translation>Con {0}, un proceso ocupa {1} en {2}, que tiene {3} para él.</translation>
    </message>
    <message>
        <source>At {0}×{1} the least is {2}; the budget is {3}.</source>
        <translation>Con {0}×{1}, lo mínimo es {2}; el límite es {3}.</translation>
    </message>
    <message>
        <source>Besides, {0}.</source>
        <translation>Además, {0}.</translation>
    </message>
    <message>
        <source>Bits above those that the file says it stores were set; they were ignored.</source>
        <translation>Había bits activos por encima de los que el archivo dice guardar; se han ignorado.</translation>
    </message>
    <message>
        <source>Bring back the file of then under its name, then go on with this run.</source>
        <translation>Devuelva a su nombre el archivo de entonces y continúe después con esta ejecución.</translation>
    </message>
    <message>
        <source>Bring the folder back, or choose another one, and start again.</source>
        <translation>Recupere la carpeta o elija otra, y empiece de nuevo.</translation>
    </message>
    <message>
        <source>Bring the folder back, or start again in another one.</source>
        <translation>Recupere la carpeta o empiece de nuevo en otra.</translation>
    </message>
    <message>
        <source>Bring the wheel into the folder, or into your own package index, and try again.</source>
        <translation>Ponga el paquete (wheel) en la carpeta o en su propio índice de paquetes y vuelva a intentarlo.</translation>
    </message>
    <message>
        <source>Bring wheels that do, and try again.</source>
        <translation>Ponga paquetes (wheels) que sean compatibles y vuelva a intentarlo.</translation>
    </message>
    <message>
        <source>By the portions that are named one of them has none of the {0} images of a batch.</source>
        <translation>Con las porciones indicadas, uno de ellos no tiene ninguna de las {0} imágenes de un lote.</translation>
    </message>
    <message>
        <source>Bytes after the end of the image were ignored.</source>
        <translation>Se han ignorado bytes situados tras el final de la imagen.</translation>
    </message>
    <message>
        <source>CLAHE (clip {0}, {1}×{2} tiles)</source>
        <translation>CLAHE (límite {0}, {1}×{2} teselas)</translation>
    </message>
    <message>
        <source>Cannot adjust the preset {0}.</source>
        <translation>No se puede modificar el ajuste predefinido {0}.</translation>
    </message>
    <message>
        <source>Cannot be read: {0}. Read as they should be: {1}.</source>
        <translation>No se pueden leer: {0}. Se leen correctamente: {1}.</translation>
    </message>
    <message>
        <source>Cannot checkpoint {0} twice.</source>
        <translation>No se puede poner {0} dos veces en puntos de control.</translation>
    </message>
    <message>
        <source>Cannot checkpoint {0}.</source>
        <translation>No se puede poner {0} en puntos de control.</translation>
    </message>
    <message>
        <source>Cannot compute on {0}.</source>
        <translation>No se puede calcular en {0}.</translation>
    </message>
    <message>
        <source>Cannot delete the shipped model.</source>
        <translation>No se puede eliminar el modelo que acompaña al programa.</translation>
    </message>
    <message>
        <source>Cannot end the run on the node {0}.</source>
        <translation>No se puede terminar la ejecución en el nodo {0}.</translation>
    </message>
    <message>
        <source>Cannot enhance images at {0}.</source>
        <translation>No se pueden realzar imágenes en {0}.</translation>
    </message>
    <message>
        <source>Cannot enhance on the node {0}.</source>
        <translation>No se puede realzar en el nodo {0}.</translation>
    </message>
    <message>
        <source>Cannot enhance on these nodes.</source>
        <translation>No se puede realzar en estos nodos.</translation>
    </message>
    <message>
        <source>Cannot enhance the image with the model {0} on {1}.</source>
        <translation>No se puede realzar la imagen con el modelo {0} en {1}.</translation>
    </message>
    <message>
        <source>Cannot enhance the image with the model {0}.</source>
        <translation>No se puede realzar la imagen con el modelo {0}.</translation>
    </message>
    <message>
        <source>Cannot enhance the image with the preset {0}.</source>
        <translation>No se puede realzar la imagen con el ajuste predefinido {0}.</translation>
    </message>
    <message>
        <source>Cannot enhance the mammogram with the model {0}.</source>
        <translation>No se puede realzar la mamografía con el modelo {0}.</translation>
    </message>
    <message>
        <source>Cannot enhance this {0} image with a preset.</source>
        <translation>No se puede realzar esta imagen ({0}) con un ajuste predefinido.</translation>
    </message>
    <message>
        <source>Cannot enhance this {0} image with the preset {1}.</source>
        <translation>No se puede realzar esta imagen ({0}) con el ajuste predefinido {1}.</translation>
    </message>
    <message>
        <source>Cannot fetch the ImageNet weights.</source>
        <translation>No se pueden descargar los pesos de ImageNet.</translation>
    </message>
    <message>
        <source>Cannot fetch weights of {0}.</source>
        <translation>No se pueden descargar pesos de {0}.</translation>
    </message>
    <message>
        <source>Cannot find the images of this run.</source>
        <translation>No se encuentran las imágenes de este entrenamiento.</translation>
    </message>
    <message>
        <source>Cannot find the input {0}.</source>
        <translation>No se encuentra la entrada {0}.</translation>
    </message>
    <message>
        <source>Cannot find the model {0}.</source>
        <translation>No se encuentra el modelo {0}.</translation>
    </message>
    <message>
        <source>Cannot find the run {0}.</source>
        <translation>No se encuentra la ejecución {0}.</translation>
    </message>
    <message>
        <source>Cannot find the shipped file {0}.</source>
        <translation>No se encuentra el archivo incluido {0}.</translation>
    </message>
    <message>
        <source>Cannot forget this run.</source>
        <translation>No se puede olvidar esta ejecución.</translation>
    </message>
    <message>
        <source>Cannot go back to the model before.</source>
        <translation>No se puede volver al modelo anterior.</translation>
    </message>
    <message>
        <source>Cannot go on following this run.</source>
        <translation>No se puede seguir esta ejecución.</translation>
    </message>
    <message>
        <source>Cannot hold a model against others on prepared data.</source>
        <translation>No se puede comparar un modelo con otros con datos preparados.</translation>
    </message>
    <message>
        <source>Cannot hold a model against others on {0}.</source>
        <translation>No se puede comparar un modelo con otros en {0}.</translation>
    </message>
    <message>
        <source>Cannot hold the model against the one that it began from.</source>
        <translation>No se puede comparar el modelo con aquel del que partió.</translation>
    </message>
    <message>
        <source>Cannot install a build for {0} on this computer.</source>
        <translation>No se puede instalar una variante para {0} en este equipo.</translation>
    </message>
    <message>
        <source>Cannot install or remove the training part now.</source>
        <translation>Ahora no se puede instalar ni quitar el componente de entrenamiento.</translation>
    </message>
    <message>
        <source>Cannot install the training part there.</source>
        <translation>No se puede instalar ahí el componente de entrenamiento.</translation>
    </message>
    <message>
        <source>Cannot install the training part.</source>
        <translation>No se puede instalar el componente de entrenamiento.</translation>
    </message>
    <message>
        <source>Cannot keep images apart on which the model could be judged.</source>
        <translation>No se pueden apartar imágenes con las que juzgar el modelo.</translation>
    </message>
    <message>
        <source>Cannot keep the grading.</source>
        <translation>No se puede guardar la valoración.</translation>
    </message>
    <message>
        <source>Cannot learn from the image.</source>
        <translation>No se puede aprender de la imagen.</translation>
    </message>
    <message>
        <source>Cannot make one model of the members.</source>
        <translation>No se puede hacer un solo modelo de los miembros.</translation>
    </message>
    <message>
        <source>Cannot make one model of these.</source>
        <translation>No se puede hacer un solo modelo de estos.</translation>
    </message>
    <message>
        <source>Cannot make scenes in this folder.</source>
        <translation>No se pueden crear escenas en esta carpeta.</translation>
    </message>
    <message>
        <source>Cannot open the run {0}.</source>
        <translation>No se puede abrir el entrenamiento {0}.</translation>
    </message>
    <message>
        <source>Cannot plan a training at {0}×{1} pixels.</source>
        <translation>No se puede planificar un entrenamiento con {0}×{1} píxeles.</translation>
    </message>
    <message>
        <source>Cannot plan for the encoder {0}.</source>
        <translation>No se puede planificar para el codificador {0}.</translation>
    </message>
    <message>
        <source>Cannot plan for these nodes.</source>
        <translation>No se puede planificar para estos nodos.</translation>
    </message>
    <message>
        <source>Cannot plan steps of {0} images.</source>
        <translation>No se pueden planificar pasos de {0} imágenes.</translation>
    </message>
    <message>
        <source>Cannot plan with a link.</source>
        <translation>No se puede planificar con un enlace.</translation>
    </message>
    <message>
        <source>Cannot reach the node {0}.</source>
        <translation>No se puede llegar al nodo {0}.</translation>
    </message>
    <message>
        <source>Cannot read the image again.</source>
        <translation>No se puede volver a leer la imagen.</translation>
    </message>
    <message>
        <source>Cannot read the list of nodes.</source>
        <translation>No se puede leer la lista de nodos.</translation>
    </message>
    <message>
        <source>Cannot read the preset {0}.</source>
        <translation>No se puede leer el ajuste predefinido {0}.</translation>
    </message>
    <message>
        <source>Cannot read {0} as an amount of memory.</source>
        <translation>No se puede leer {0} como cantidad de memoria.</translation>
    </message>
    <message>
        <source>Cannot read {0} as an option of {1}.</source>
        <translation>No se puede leer {0} como opción de {1}.</translation>
    </message>
    <message>
        <source>Cannot remove the training part.</source>
        <translation>No se puede quitar el componente de entrenamiento.</translation>
    </message>
    <message>
        <source>Cannot replace the file that is there.</source>
        <translation>No se puede reemplazar el archivo que hay ahí.</translation>
    </message>
    <message>
        <source>Cannot send results to an address of the kind {0}.</source>
        <translation>No se pueden enviar resultados a una dirección del tipo {0}.</translation>
    </message>
    <message>
        <source>Cannot send the prepared training data.</source>
        <translation>No se pueden enviar los datos de entrenamiento preparados.</translation>
    </message>
    <message>
        <source>Cannot set {0} of {1} to {2}.</source>
        <translation>No se puede dar a {0} de {1} el valor {2}.</translation>
    </message>
    <message>
        <source>Cannot start a job of kind {0} on a node.</source>
        <translation>No se puede iniciar un trabajo de tipo {0} en un nodo.</translation>
    </message>
    <message>
        <source>Cannot start a job of kind {0}.</source>
        <translation>No se puede iniciar un trabajo de tipo {0}.</translation>
    </message>
    <message>
        <source>Cannot start a run at {0}.</source>
        <translation>No se puede iniciar una ejecución en {0}.</translation>
    </message>
    <message>
        <source>Cannot start a run of {0} processes.</source>
        <translation>No se puede iniciar una ejecución de {0} procesos.</translation>
    </message>
    <message>
        <source>Cannot start from ImageNet weights.</source>
        <translation>No se puede partir de los pesos de ImageNet.</translation>
    </message>
    <message>
        <source>Cannot start from a file of weights on the node {0}.</source>
        <translation>No se puede partir de un archivo de pesos en el nodo {0}.</translation>
    </message>
    <message>
        <source>Cannot start from the model that ships.</source>
        <translation>No se puede partir del modelo que acompaña al programa.</translation>
    </message>
    <message>
        <source>Cannot start {0} processes in the queue of a cluster.</source>
        <translation>No se pueden iniciar {0} procesos en la cola de un clúster.</translation>
    </message>
    <message>
        <source>Cannot start {0} processes that work together.</source>
        <translation>No se pueden iniciar {0} procesos que trabajen juntos.</translation>
    </message>
    <message>
        <source>Cannot tell which models were chosen for the body parts.</source>
        <translation>No se puede saber qué modelos se eligieron para las partes del cuerpo.</translation>
    </message>
    <message>
        <source>Cannot tell which references were approved, adjusted or rejected.</source>
        <translation>No se puede saber qué referencias se aprobaron, se ajustaron o se rechazaron.</translation>
    </message>
    <message>
        <source>Cannot train a further member of this ensemble.</source>
        <translation>No se puede entrenar otro miembro de este conjunto.</translation>
    </message>
    <message>
        <source>Cannot train a model to be used on these images: {0}.</source>
        <translation>No se puede entrenar un modelo para usarlo con estas imágenes: {0}.</translation>
    </message>
    <message>
        <source>Cannot train in {0} processes.</source>
        <translation>No se puede entrenar en {0} procesos.</translation>
    </message>
    <message>
        <source>Cannot train member {0}.</source>
        <translation>No se puede entrenar el miembro {0}.</translation>
    </message>
    <message>
        <source>Cannot train on one machine twice.</source>
        <translation>No se puede entrenar dos veces en un mismo equipo.</translation>
    </message>
    <message>
        <source>Cannot train on the node {0}.</source>
        <translation>No se puede entrenar en el nodo {0}.</translation>
    </message>
    <message>
        <source>Cannot train on the nodes {0} together.</source>
        <translation>No se puede entrenar en los nodos {0} a la vez.</translation>
    </message>
    <message>
        <source>Cannot train on {0} nodes.</source>
        <translation>No se puede entrenar en {0} nodos.</translation>
    </message>
    <message>
        <source>Cannot train on {0} of {1}.</source>
        <translation>No se puede entrenar en {0} de {1}.</translation>
    </message>
    <message>
        <source>Cannot train on {0}.</source>
        <translation>No se puede entrenar en {0}.</translation>
    </message>
    <message>
        <source>Cannot train where it may come to {0} processes.</source>
        <translation>No se puede entrenar donde puede llegar a haber {0} procesos.</translation>
    </message>
    <message>
        <source>Cannot train with other nodes.</source>
        <translation>No se puede entrenar con otros nodos.</translation>
    </message>
    <message>
        <source>Cannot train {0} members of an ensemble.</source>
        <translation>No se pueden entrenar {0} miembros de un conjunto.</translation>
    </message>
    <message>
        <source>Cannot understand what is asked.</source>
        <translation>No se entiende lo que se pide.</translation>
    </message>
    <message>
        <source>Cannot use Fullfield&apos;s own folder of this user ({0}).</source>
        <translation>No se puede usar la carpeta propia de Fullfield de este usuario ({0}).</translation>
    </message>
    <message>
        <source>Cannot use the DICOMDIR of the medium.</source>
        <translation>No se puede usar el DICOMDIR del soporte.</translation>
    </message>
    <message>
        <source>Cannot use the limits that were measured of this model.</source>
        <translation>No se pueden usar los límites medidos de este modelo.</translation>
    </message>
    <message>
        <source>Cannot use the model that was chosen for this body part.</source>
        <translation>No se puede usar el modelo que se eligió para esta región anatómica.</translation>
    </message>
    <message>
        <source>Cannot use the output folder.</source>
        <translation>No se puede usar la carpeta de salida.</translation>
    </message>
    <message>
        <source>Cannot use the preset {0}.</source>
        <translation>No se puede usar el ajuste predefinido {0}.</translation>
    </message>
    <message>
        <source>Cannot use the shipped model.</source>
        <translation>No se puede usar el modelo que acompaña al programa.</translation>
    </message>
    <message>
        <source>Cannot use the training part that was just installed.</source>
        <translation>No se puede usar el componente de entrenamiento que se acaba de instalar.</translation>
    </message>
    <message>
        <source>Cannot use this file: it is {0}.</source>
        <translation>No se puede usar este archivo: es {0}.</translation>
    </message>
    <message>
        <source>Cannot use this folder for a run.</source>
        <translation>No se puede usar esta carpeta para un entrenamiento.</translation>
    </message>
    <message>
        <source>Cannot use this folder.</source>
        <translation>No se puede usar esta carpeta.</translation>
    </message>
    <message>
        <source>Cannot use this model.</source>
        <translation>No se puede usar este modelo.</translation>
    </message>
    <message>
        <source>Cannot use this node.</source>
        <translation>No se puede usar este nodo.</translation>
    </message>
    <message>
        <source>Cannot wait in the queue of a cluster.</source>
        <translation>No se puede esperar en la cola de un clúster.</translation>
    </message>
    <message>
        <source>Cannot write a file in the place of a device or a pipe.</source>
        <translation>No se puede escribir un archivo en el lugar de un dispositivo o una tubería.</translation>
    </message>
    <message>
        <source>Cannot write in the language {0}.</source>
        <translation>No se puede escribir en el idioma {0}.</translation>
    </message>
    <message>
        <source>Cannot write the bundle for support there.</source>
        <translation>No se puede escribir ahí el paquete para asistencia.</translation>
    </message>
    <message>
        <source>Cannot write the file.</source>
        <translation>No se puede escribir el archivo.</translation>
    </message>
    <message>
        <source>Cannot write the model file.</source>
        <translation>No se puede escribir el archivo del modelo.</translation>
    </message>
    <message>
        <source>Cannot write the settings.</source>
        <translation>No se pueden guardar los ajustes.</translation>
    </message>
    <message>
        <source>Cannot write to standard output.</source>
        <translation>No se puede escribir en la salida estándar.</translation>
    </message>
    <message>
        <source>Cards that need not be here are none of theirs, and no more train together than are named.</source>
        <translation>Las tarjetas que no tienen que estar aquí no son de ellos, y no entrenan juntos más de los que se nombran.</translation>
    </message>
    <message>
        <source>Change the settings that are written into it, such as the licence of the data.</source>
        <translation>Cambie los ajustes que se escriben en él, como la licencia de los datos.</translation>
    </message>
    <message>
        <source>Check it.</source>
        <translation>Compruébelo.</translation>
    </message>
    <message>
        <source>Check its name, bring it back, or choose another one.</source>
        <translation>Compruebe su nombre, vuelva a ponerlo en su sitio o elija otro.</translation>
    </message>
    <message>
        <source>Check that it is switched on, and the network.</source>
        <translation>Compruebe que está encendido, y la red.</translation>
    </message>
    <message>
        <source>Check that it is there and that you may read it.</source>
        <translation>Compruebe que esté ahí y que tenga permiso para leerlo.</translation>
    </message>
    <message>
        <source>Check the address {0}.</source>
        <translation>Compruebe la dirección {0}.</translation>
    </message>
    <message>
        <source>Check the connection and the proxy (HTTPS_PROXY), name a folder of wheels, or choose the other build.</source>
        <translation>Compruebe la conexión y el proxy (HTTPS_PROXY), indique una carpeta de paquetes (wheels) o elija la otra variante.</translation>
    </message>
    <message>
        <source>Check the disk, the network and your permissions, then go on with the training (--resume): nothing was removed.</source>
        <translation>Compruebe el disco, la red y sus permisos, y continúe después el entrenamiento (--resume): no se ha eliminado nada.</translation>
    </message>
    <message>
        <source>Check the file&apos;s name and your permissions.</source>
        <translation>Compruebe el nombre del archivo y sus permisos.</translation>
    </message>
    <message>
        <source>Check the file&apos;s name.</source>
        <translation>Compruebe el nombre del archivo.</translation>
    </message>
    <message>
        <source>Check the network.</source>
        <translation>Compruebe la red.</translation>
    </message>
    <message>
        <source>Check the spelling, and that the drive is connected.</source>
        <translation>Compruebe la ortografía y que la unidad esté conectada.</translation>
    </message>
    <message>
        <source>Check who may read your folder of settings, and try again.</source>
        <translation>Compruebe quién puede leer su carpeta de ajustes e inténtelo de nuevo.</translation>
    </message>
    <message>
        <source>Chest</source>
        <translation>Tórax</translation>
    </message>
    <message>
        <source>Chest, raw input</source>
        <translation>Tórax, sin procesar</translation>
    </message>
    <message>
        <source>Choose --batch {0} or more, or fewer --processes.</source>
        <translation>Elija --batch {0} o más, o menos --processes.</translation>
    </message>
    <message>
        <source>Choose --batch {0} or more, or fewer machines.</source>
        <translation>Elija --batch {0} o más, o menos máquinas.</translation>
    </message>
    <message>
        <source>Choose --size {0}.</source>
        <translation>Elija --size {0}.</translation>
    </message>
    <message>
        <source>Choose --use-on {0}, or train on the images themselves.</source>
        <translation>Elija --use-on {0}, o entrene con las propias imágenes.</translation>
    </message>
    <message>
        <source>Choose a .safetensors file made by Fullfield.</source>
        <translation>Elija un archivo .safetensors creado por Fullfield.</translation>
    </message>
    <message>
        <source>Choose a .safetensors file made by Fullfield; weights to start a training from are given to the training.</source>
        <translation>Elija un archivo .safetensors creado por Fullfield; los pesos de los que parte un entrenamiento se indican en el entrenamiento.</translation>
    </message>
    <message>
        <source>Choose a folder that you may write to, then try again: what is done is kept.</source>
        <translation>Elija una carpeta en la que pueda escribir y vuelva a intentarlo: lo que ya está hecho se conserva.</translation>
    </message>
    <message>
        <source>Choose a folder that you may write to.</source>
        <translation>Elija una carpeta en la que pueda escribir.</translation>
    </message>
    <message>
        <source>Choose a larger batch, another reference, or leave it out.</source>
        <translation>Elija un lote mayor, otra referencia, o prescinda de ella.</translation>
    </message>
    <message>
        <source>Choose a larger batch, or leave it out.</source>
        <translation>Elija un lote mayor, o prescinda de ella.</translation>
    </message>
    <message>
        <source>Choose a locale in UTF-8 (LC_ALL=C.UTF-8), or rename the file, and try again.</source>
        <translation>Elija una configuración regional en UTF-8 (LC_ALL=C.UTF-8) o cambie el nombre del archivo y vuelva a intentarlo.</translation>
    </message>
    <message>
        <source>Choose a model file made by Fullfield.</source>
        <translation>Elija un archivo de modelo creado por Fullfield.</translation>
    </message>
    <message>
        <source>Choose a model made by `fullfield train`; other networks cannot be used.</source>
        <translation>Elija un modelo creado por `fullfield train`; no se pueden usar otras redes.</translation>
    </message>
    <message>
        <source>Choose a model or preset for {0} images (the preset auto fits both).</source>
        <translation>Elija un modelo o un ajuste predefinido para imágenes de tipo «{0}» (el ajuste auto sirve para ambos).</translation>
    </message>
    <message>
        <source>Choose a model that was, or the preset auto, which takes one made for mammography.</source>
        <translation>Elija un modelo que lo esté, o el ajuste auto, que toma uno hecho para mamografía.</translation>
    </message>
    <message>
        <source>Choose a model trained at this scale, train one with `fullfield train --size native`, or use a preset; the image was not resized.</source>
        <translation>Elija un modelo entrenado a esta escala, entrene uno con `fullfield train --size native`, o use un ajuste predefinido; la imagen no se ha cambiado de tamaño.</translation>
    </message>
    <message>
        <source>Choose a model, or a preset.</source>
        <translation>Elija un modelo o un ajuste predefinido.</translation>
    </message>
    <message>
        <source>Choose a number from {0} to {1}.</source>
        <translation>Elija un número de {0} a {1}.</translation>
    </message>
    <message>
        <source>Choose a number that divides them, and more than one.</source>
        <translation>Elija un número que los divida y que sea mayor que uno.</translation>
    </message>
    <message>
        <source>Choose a smaller --size or --batch, or close other programs.</source>
        <translation>Elija un --size o un --batch menor, o cierre otros programas.</translation>
    </message>
    <message>
        <source>Choose a smaller size, or close other programs, and start again.</source>
        <translation>Elija un tamaño menor, o cierre otros programas, y empiece de nuevo.</translation>
    </message>
    <message>
        <source>Choose an empty folder, or the same count, seed, sizes and network to go on.</source>
        <translation>Elija una carpeta vacía, o el mismo número, la misma semilla, los mismos tamaños y la misma red para seguir.</translation>
    </message>
    <message>
        <source>Choose another checkpoint or model: this training had diverged.</source>
        <translation>Elija otro punto guardado u otro modelo: este entrenamiento había divergido.</translation>
    </message>
    <message>
        <source>Choose another file.</source>
        <translation>Elija otro archivo.</translation>
    </message>
    <message>
        <source>Choose another folder, or --overwrite.</source>
        <translation>Elija otra carpeta, o --overwrite.</translation>
    </message>
    <message>
        <source>Choose another folder, or agree to replace it.</source>
        <translation>Elija otra carpeta, o acepte reemplazarlo.</translation>
    </message>
    <message>
        <source>Choose another name.</source>
        <translation>Elija otro nombre.</translation>
    </message>
    <message>
        <source>Choose another value for --encoder.</source>
        <translation>Elija otro valor para --encoder.</translation>
    </message>
    <message>
        <source>Choose at least one.</source>
        <translation>Elija al menos uno.</translation>
    </message>
    <message>
        <source>Choose auto or one of {0}.</source>
        <translation>Elija auto o uno de estos: {0}.</translation>
    </message>
    <message>
        <source>Choose auto, one of {0}, or the path of a .toml file.</source>
        <translation>Elija auto, uno de estos: {0}, o la ruta de un archivo .toml.</translation>
    </message>
    <message>
        <source>Choose fewer processes, or smaller portions.</source>
        <translation>Elija menos procesos o partes más pequeñas.</translation>
    </message>
    <message>
        <source>Choose fewer processes.</source>
        <translation>Elija menos procesos.</translation>
    </message>
    <message>
        <source>Choose files, folders or ZIP archives.</source>
        <translation>Elija archivos, carpetas o archivos ZIP.</translation>
    </message>
    <message>
        <source>Choose from 1 to {0} images.</source>
        <translation>Elija de 1 a {0} imágenes.</translation>
    </message>
    <message>
        <source>Choose from 1 to {0}.</source>
        <translation>Elija de 1 a {0}.</translation>
    </message>
    <message>
        <source>Choose from 2 to {0} processes.</source>
        <translation>Elija de 2 a {0} procesos.</translation>
    </message>
    <message>
        <source>Choose from {0}.</source>
        <translation>Elija entre {0}.</translation>
    </message>
    <message>
        <source>Choose it again, or another one.</source>
        <translation>Elíjalo de nuevo, o elija otro.</translation>
    </message>
    <message>
        <source>Choose larger groups, or a larger --batch.</source>
        <translation>Elija grupos mayores o un --batch mayor.</translation>
    </message>
    <message>
        <source>Choose one of them, or auto.</source>
        <translation>Elija una de ellas, o auto.</translation>
    </message>
    <message>
        <source>Choose other stages for last, or leave it out.</source>
        <translation>Elija otras etapas para last, o no lo indique.</translation>
    </message>
    <message>
        <source>Choose precision:format=fp16.</source>
        <translation>Elija precision:format=fp16.</translation>
    </message>
    <message>
        <source>Choose several devices, or on the command line: fullfield train --processes 2.</source>
        <translation>Elija varios dispositivos, o en la línea de comandos: fullfield train --processes 2.</translation>
    </message>
    <message>
        <source>Choose the device auto or cpu.</source>
        <translation>Elija el dispositivo auto o cpu.</translation>
    </message>
    <message>
        <source>Choose the device cpu, or restart the computer.</source>
        <translation>Elija el dispositivo cpu, o reinicie el equipo.</translation>
    </message>
    <message>
        <source>Choose the folder of a run.</source>
        <translation>Elija la carpeta de un entrenamiento.</translation>
    </message>
    <message>
        <source>Choose the folder that holds the radiographs.</source>
        <translation>Elija la carpeta que contiene las radiografías.</translation>
    </message>
    <message>
        <source>Choose the model of one of its members.</source>
        <translation>Elija el modelo de uno de sus miembros.</translation>
    </message>
    <message>
        <source>Choose {0}, or write 110MB/s,0.0002.</source>
        <translation>Elija {0}, o escriba 110MB/s,0.0002.</translation>
    </message>
    <message>
        <source>Choose {0}.</source>
        <translation>Elija {0}.</translation>
    </message>
    <message>
        <source>Close Fullfield, wait for its trainings, and try again.</source>
        <translation>Cierre Fullfield, espere a que terminen sus entrenamientos y vuelva a intentarlo.</translation>
    </message>
    <message>
        <source>Close it here, and resume it from the same menu.</source>
        <translation>Ciérrela aquí y reanúdela desde el mismo menú.</translation>
    </message>
    <message>
        <source>Close other programs before you enhance or train.</source>
        <translation>Cierre otros programas antes de realzar o entrenar.</translation>
    </message>
    <message>
        <source>Close other programs that use the GPU: training hardly fits, and models compute in smaller tiles.</source>
        <translation>Cierre otros programas que usen la GPU: el entrenamiento apenas cabe, y los modelos calculan en teselas menores.</translation>
    </message>
    <message>
        <source>Close other programs to free memory; if it happens again, install Fullfield anew.</source>
        <translation>Cierre otros programas para liberar memoria; si vuelve a ocurrir, instale Fullfield de nuevo.</translation>
    </message>
    <message>
        <source>Close other programs, choose the device cpu, or use a preset, which needs far less memory.</source>
        <translation>Cierre otros programas, elija el dispositivo cpu, o use un ajuste predefinido, que necesita mucha menos memoria.</translation>
    </message>
    <message>
        <source>Close other programs, enhance fewer images at once, or take a preset instead of a model.</source>
        <translation>Cierre otros programas, realce menos imágenes a la vez, o use un ajuste predefinido en lugar de un modelo.</translation>
    </message>
    <message>
        <source>Close other programs, or run fewer images at once (--jobs 1).</source>
        <translation>Cierre otros programas, o procese menos imágenes a la vez (--jobs 1).</translation>
    </message>
    <message>
        <source>Close what has its files open, then try again.</source>
        <translation>Cierre lo que tenga abiertos sus archivos e inténtelo de nuevo.</translation>
    </message>
    <message>
        <source>Comment of the original: {0}</source>
        <translation>Comentario del original: {0}</translation>
    </message>
    <message>
        <source>Computing in bf16, as asked (× {0} on this device): results differ from fp32 by up to 0.1, and tiles do not equal the whole image.</source>
        <translation>Se calcula en bf16, como se pidió (× {0} en este dispositivo): los resultados difieren de fp32 hasta en 0,1, y las teselas no equivalen a la imagen entera.</translation>
    </message>
    <message>
        <source>Connect once with ssh {0} and compare the key with what IT says.</source>
        <translation>Conéctese una vez con ssh {0} y compare la clave con lo que dice informática.</translation>
    </message>
    <message>
        <source>Connect the folder of images as it was, then go on with the training (--resume); or start a new training.</source>
        <translation>Conecte la carpeta de imágenes tal como estaba y continúe el entrenamiento (--resume), o inicie uno nuevo.</translation>
    </message>
    <message>
        <source>Copy it again from where it came, or have it fetched anew.</source>
        <translation>Cópielo otra vez de donde vino o haga que se descargue de nuevo.</translation>
    </message>
    <message>
        <source>Copy it again.</source>
        <translation>Cópielo de nuevo.</translation>
    </message>
    <message>
        <source>Copy the file again from where it was made and compare its SHA-256.</source>
        <translation>Copie de nuevo el archivo desde donde se creó y compare su SHA-256.</translation>
    </message>
    <message>
        <source>Copy the file again from where it was made.</source>
        <translation>Copie de nuevo el archivo desde donde se creó.</translation>
    </message>
    <message>
        <source>Correct the file, or remove it from the folder of your presets.</source>
        <translation>Corrija el archivo o quítelo de la carpeta de sus preajustes.</translation>
    </message>
    <message>
        <source>Correct the file.</source>
        <translation>Corrija el archivo.</translation>
    </message>
    <message>
        <source>Correct the values.</source>
        <translation>Corrija los valores.</translation>
    </message>
    <message>
        <source>Correct these values; the shipped presets show every parameter with its unit and range.</source>
        <translation>Corrija estos valores; los ajustes predefinidos incluidos muestran cada parámetro con su unidad y su intervalo.</translation>
    </message>
    <message>
        <source>Cut behind {0}, one of them has nothing to run.</source>
        <translation>Si se corta después de {0}, uno de ellos no tiene nada que calcular.</translation>
    </message>
    <message>
        <source>Did you mean {0}?</source>
        <translation>¿Quería decir {0}?</translation>
    </message>
    <message>
        <source>Eight bits are enough for display only: the image is processed already.</source>
        <translation>Ocho bits solo bastan para mostrar: la imagen ya está procesada.</translation>
    </message>
    <message>
        <source>Element {0} has the unknown type {1}.</source>
        <translation>El elemento {0} tiene el tipo desconocido {1}.</translation>
    </message>
    <message>
        <source>Element {0} of type {1} says no length.</source>
        <translation>El elemento {0} de tipo {1} no dice su longitud.</translation>
    </message>
    <message>
        <source>Element {0} says no length and does not hold compressed fragments.</source>
        <translation>El elemento {0} no dice su longitud y no contiene fragmentos comprimidos.</translation>
    </message>
    <message>
        <source>Enhance it first.</source>
        <translation>Realce primero la imagen.</translation>
    </message>
    <message>
        <source>Enhance on this computer, or on another machine.</source>
        <translation>Mejore en este ordenador, o en otra máquina.</translation>
    </message>
    <message>
        <source>Enhanced by Fullfield {0} ({1} {2} {3}).</source>
        <translation>Realzada por Fullfield {0} ({1} {2} {3}).</translation>
    </message>
    <message>
        <source>Enhanced by {0} {1} ({2} {3}); not for primary diagnosis.</source>
        <translation>Realzada por {0} {1} ({2} {3}); no apta para el diagnóstico primario.</translation>
    </message>
    <message>
        <source>Enhancing on the node {0}: pixels and numbers go there, files stay here.</source>
        <translation>Se realza en el nodo {0}: allí van píxeles y números, los archivos se quedan aquí.</translation>
    </message>
    <message>
        <source>Epoch {0}: the loss on the images held back is not a number; it cannot be the best.</source>
        <translation>Época {0}: la pérdida con las imágenes reservadas no es un número; no puede ser la mejor.</translation>
    </message>
    <message>
        <source>Every user may write into this folder: what runs from it could be exchanged.</source>
        <translation>Cualquier usuario puede escribir en esta carpeta: lo que se ejecuta desde ella podría cambiarse.</translation>
    </message>
    <message>
        <source>Example: fullfield node add gpu user@host.</source>
        <translation>Ejemplo: fullfield node add gpu user@host.</translation>
    </message>
    <message>
        <source>Export it again uncompressed, or as JPEG 2000, JPEG-LS, JPEG or RLE.</source>
        <translation>Expórtelo de nuevo sin comprimir, o como JPEG 2000, JPEG-LS, JPEG o RLE.</translation>
    </message>
    <message>
        <source>Export or copy it again from where it came from.</source>
        <translation>Expórtelo o cópielo de nuevo desde su origen.</translation>
    </message>
    <message>
        <source>Fetch the weights again.</source>
        <translation>Descargue de nuevo los pesos.</translation>
    </message>
    <message>
        <source>Fetch them ({0}), give a file, or start without (--weights none).</source>
        <translation>Descárguelos ({0}), indique un archivo o empiece sin ellos (--weights none).</translation>
    </message>
    <message>
        <source>Fetch them again ({0}).</source>
        <translation>Descárguelos de nuevo ({0}).</translation>
    </message>
    <message>
        <source>Fetching the training part</source>
        <translation>Descargando el componente de entrenamiento</translation>
    </message>
    <message>
        <source>Fewer than {0} nodes are there. The training waits for more; it can be stopped.</source>
        <translation>Hay menos de {0} nodos. El entrenamiento espera a que haya más; se puede detener.</translation>
    </message>
    <message>
        <source>File {0}{1}: {2}</source>
        <translation>Archivo {0}{1}: {2}</translation>
    </message>
    <message>
        <source>Find out who put it there, remove it, and start again; or choose another folder.</source>
        <translation>Averigüe quién lo puso ahí, elimínelo y empiece de nuevo; o elija otra carpeta.</translation>
    </message>
    <message>
        <source>Find out who put it there, remove it, and start again; or name a folder that does not exist yet.</source>
        <translation>Averigüe quién lo puso ahí, elimínelo y empiece de nuevo; o indique una carpeta que aún no exista.</translation>
    </message>
    <message>
        <source>For {0} this plan was found: {1}.</source>
        <translation>Para {0} se encontró este plan: {1}.</translation>
    </message>
    <message>
        <source>Free some space on its disk, or name a folder on another one in the environment: FULLFIELD_{0}.</source>
        <translation>Libere espacio en su disco o indique en el entorno una carpeta de otro disco: FULLFIELD_{0}.</translation>
    </message>
    <message>
        <source>Free some space on the disk of your home folder, and check that the file is still there.</source>
        <translation>Libere espacio en el disco de su carpeta personal y compruebe que el archivo sigue ahí.</translation>
    </message>
    <message>
        <source>Free some space on this disk.</source>
        <translation>Libere espacio en este disco.</translation>
    </message>
    <message>
        <source>Free some space on this disk: trainings and decoded images need some gigabytes.</source>
        <translation>Libere espacio en este disco: los entrenamientos y las imágenes descodificadas necesitan algunos gigabytes.</translation>
    </message>
    <message>
        <source>Free some space there (fullfield node forget), then go on: what has arrived is kept.</source>
        <translation>Libere espacio allí (fullfield node forget) y continúe: lo que ha llegado se conserva.</translation>
    </message>
    <message>
        <source>Free some space where it goes to, or send it elsewhere, and try again.</source>
        <translation>Libere espacio allí donde va, o envíela a otra parte, y vuelva a intentarlo.</translation>
    </message>
    <message>
        <source>Free some space, and try again: what is done is kept.</source>
        <translation>Libere espacio y vuelva a intentarlo: lo ya hecho se conserva.</translation>
    </message>
    <message>
        <source>Free some space, or give this user the right to write into it.</source>
        <translation>Libere espacio, o dé a este usuario permiso para escribir en ella.</translation>
    </message>
    <message>
        <source>Free some space, or name a folder on another drive in {0}.</source>
        <translation>Libere espacio o indique en {0} una carpeta de otra unidad.</translation>
    </message>
    <message>
        <source>Free some space, then go on with the training (--resume).</source>
        <translation>Libere espacio y continúe después el entrenamiento (--resume).</translation>
    </message>
    <message>
        <source>Fullfield knows of none for {0} whose content it could check.</source>
        <translation>Fullfield no conoce ninguno para {0} cuyo contenido pueda comprobar.</translation>
    </message>
    <message>
        <source>Fullfield {0} with {1}.</source>
        <translation>Fullfield {0} con {1}.</translation>
    </message>
    <message>
        <source>General</source>
        <translation>General</translation>
    </message>
    <message>
        <source>General, raw input</source>
        <translation>General, sin procesar</translation>
    </message>
    <message>
        <source>Give it again.</source>
        <translation>Indíquela de nuevo.</translation>
    </message>
    <message>
        <source>Give its memory instead: {0}.</source>
        <translation>Indique en su lugar su memoria: {0}.</translation>
    </message>
    <message>
        <source>Give the name of a file.</source>
        <translation>Indique el nombre de un archivo.</translation>
    </message>
    <message>
        <source>Give the name of a new file.</source>
        <translation>Indique el nombre de un archivo nuevo.</translation>
    </message>
    <message>
        <source>Give torchvision&apos;s .pth of this encoder, or its weights as .safetensors.</source>
        <translation>Indique el .pth de torchvision de este codificador, o sus pesos como .safetensors.</translation>
    </message>
    <message>
        <source>Give torchvision&apos;s .pth of this encoder.</source>
        <translation>Indique el .pth de torchvision de este codificador.</translation>
    </message>
    <message>
        <source>Give torchvision&apos;s file of this encoder, or start without (--weights none).</source>
        <translation>Indique el archivo de torchvision de este codificador o comience sin pesos (--weights none).</translation>
    </message>
    <message>
        <source>Go on (--resume) with --fit AMOUNT, or close other programs: the last checkpoint is kept. A smaller --size or --batch needs a new folder.</source>
        <translation>Continúe (--resume) con --fit CANTIDAD, o cierre otros programas: se conserva el último punto guardado. Un --size o un --batch menor necesita una carpeta nueva.</translation>
    </message>
    <message>
        <source>Go on with it (--resume) when the line is back, then stop it.</source>
        <translation>Continúelo (--resume) cuando vuelva la conexión y deténgalo entonces.</translation>
    </message>
    <message>
        <source>Go on with it (--resume) when the node is back, then stop it.</source>
        <translation>Continúela (--resume) cuando el nodo haya vuelto, y deténgala entonces.</translation>
    </message>
    <message>
        <source>Go on with it (--resume): what was saved is kept.</source>
        <translation>Continúelo (--resume): lo guardado se conserva.</translation>
    </message>
    <message>
        <source>Go on with it there (--resume without --on) and stop it; if no line comes, press Ctrl-C twice.</source>
        <translation>Continúelo allí (--resume sin --on) y deténgalo; si no hay conexión, pulse Ctrl-C dos veces.</translation>
    </message>
    <message>
        <source>Go on with the run (--resume): what was saved is kept.</source>
        <translation>Continúe la ejecución (--resume): lo guardado se conserva.</translation>
    </message>
    <message>
        <source>Go on with the run (--resume): what was saved is kept. Ask for more time: --slurm=--time=HH:MM:SS.</source>
        <translation>Continúe la ejecución (--resume): lo guardado se conserva. Pida más tiempo: --slurm=--time=HH:MM:SS.</translation>
    </message>
    <message>
        <source>Go on with the settings that it has, or start a new one in another folder.</source>
        <translation>Continúe con los ajustes que tiene, o empiece uno nuevo en otra carpeta.</translation>
    </message>
    <message>
        <source>Go on with the version that made them.</source>
        <translation>Continúe con la versión que los creó.</translation>
    </message>
    <message>
        <source>Going on after step {0}, in epoch {1} of {2}.</source>
        <translation>Se continúa tras el paso {0}, en la época {1} de {2}.</translation>
    </message>
    <message>
        <source>Have it made writable, or name another one in the environment: FULLFIELD_{0}.</source>
        <translation>Haga que se pueda escribir en ella, o indique otra en el entorno: FULLFIELD_{0}.</translation>
    </message>
    <message>
        <source>Have somebody give you the right to read and write .fullfield/results.jsonl in it, or choose another folder.</source>
        <translation>Pida que le den permiso para leer y escribir .fullfield/results.jsonl en ella, o elija otra carpeta.</translation>
    </message>
    <message>
        <source>Have that limit raised, or choose a folder on another disk, then try again: what is done is kept.</source>
        <translation>Pida que suban ese límite o elija una carpeta de otro disco y vuelva a intentarlo: lo ya hecho se conserva.</translation>
    </message>
    <message>
        <source>Have that limit raised, then go on with the training (--resume).</source>
        <translation>Pida que suban ese límite y continúe después el entrenamiento (--resume).</translation>
    </message>
    <message>
        <source>Have the limit on files (ulimit -f) raised, or name a folder on another disk: FULLFIELD_{0}.</source>
        <translation>Pida que suban el límite de los archivos (ulimit -f) o indique una carpeta de otro disco: FULLFIELD_{0}.</translation>
    </message>
    <message>
        <source>Holding a model against others takes images of at least three patients: add images of others, or train without --compare.</source>
        <translation>Comparar un modelo con otros requiere imágenes de al menos tres pacientes: añada imágenes de otros o entrene sin --compare.</translation>
    </message>
    <message>
        <source>Holding the model against others</source>
        <translation>Comparando el modelo con otros</translation>
    </message>
    <message>
        <source>How much faster a card computes with shorter numbers was measured on one alone, which took half the time.</source>
        <translation>Cuánto más rápido calcula una tarjeta con números más cortos se midió solo en una, que tardó la mitad del tiempo.</translation>
    </message>
    <message>
        <source>Images kept apart that not every method could take, and that were left out: {0}.</source>
        <translation>Imágenes apartadas que no todos los métodos pudieron tomar y que se dejaron fuera: {0}.</translation>
    </message>
    <message>
        <source>Images of the modality {0} are only among those held back: the model will not know such images.</source>
        <translation>Las imágenes de la modalidad {0} solo están entre las reservadas: el modelo no conocerá imágenes así.</translation>
    </message>
    <message>
        <source>Images of {0} rows are divided into {1} parts at most, not {2}.</source>
        <translation>Las imágenes de {0} filas se dividen en {1} partes como máximo, no en {2}.</translation>
    </message>
    <message>
        <source>Images that are there more than once count once: {0}.</source>
        <translation>Las imágenes que están más de una vez cuentan una sola vez: {0}.</translation>
    </message>
    <message>
        <source>Images with {0} input are only among those held back: the model will not be for such images.</source>
        <translation>Las imágenes con entrada de tipo «{0}» solo están entre las reservadas: el modelo no servirá para imágenes así.</translation>
    </message>
    <message>
        <source>In it, {0} is a link to another file, which the run would write into.</source>
        <translation>En ella, {0} es un enlace a otro archivo, en el que se escribiría.</translation>
    </message>
    <message>
        <source>In its place is a link to another file, and links are not followed.</source>
        <translation>En su lugar hay un enlace a otro archivo, y los enlaces no se siguen.</translation>
    </message>
    <message>
        <source>Install Fullfield again.</source>
        <translation>Instale Fullfield de nuevo.</translation>
    </message>
    <message>
        <source>Install Fullfield anew, and compare results with their originals until then.</source>
        <translation>Instale Fullfield de nuevo y, mientras tanto, compare los resultados con sus originales.</translation>
    </message>
    <message>
        <source>Install Fullfield anew, with the versions it asks for.</source>
        <translation>Instale Fullfield de nuevo, con las versiones que pide.</translation>
    </message>
    <message>
        <source>Install Fullfield anew.</source>
        <translation>Instale Fullfield de nuevo.</translation>
    </message>
    <message>
        <source>Install Fullfield anew: a library that decodes is missing or damaged.</source>
        <translation>Instale Fullfield de nuevo: falta o está dañada una biblioteca de descodificación.</translation>
    </message>
    <message>
        <source>Install Fullfield anew; if it happens again, send us this diagnosis.</source>
        <translation>Instale Fullfield de nuevo; si vuelve a ocurrir, envíenos este diagnóstico.</translation>
    </message>
    <message>
        <source>Install Fullfield anew; on Windows, the Visual C++ runtime too.</source>
        <translation>Instale Fullfield de nuevo; en Windows, también el entorno de ejecución de Visual C++.</translation>
    </message>
    <message>
        <source>Install Fullfield with pip, and train with that.</source>
        <translation>Instale Fullfield con pip y entrene con esa instalación.</translation>
    </message>
    <message>
        <source>Install NVIDIA&apos;s driver if there is a card of NVIDIA.</source>
        <translation>Instale el controlador de NVIDIA si hay una tarjeta de NVIDIA.</translation>
    </message>
    <message>
        <source>Install OpenSSH&apos;s client, or ask IT to.</source>
        <translation>Instale el cliente de OpenSSH, o pídalo a informática.</translation>
    </message>
    <message>
        <source>Install Python from its makers&apos; page or the system&apos;s packages (on Debian and Ubuntu: python3 and python3-venv), and try again.</source>
        <translation>Instale Python desde la página de sus autores o desde los paquetes del sistema (en Debian y Ubuntu: python3 y python3-venv) y vuelva a intentarlo.</translation>
    </message>
    <message>
        <source>Install it again, with “Install…” on the page that trains or with the command: {0}</source>
        <translation>Instálelo de nuevo, con «Instalar…» en la página de entrenamiento o con la orden: {0}</translation>
    </message>
    <message>
        <source>Install it again: {0}</source>
        <translation>Instálelo de nuevo: {0}</translation>
    </message>
    <message>
        <source>Install it there, or say where it is: fullfield node add … --command PATH.</source>
        <translation>Instálelo allí, o diga dónde está: fullfield node add … --command RUTA.</translation>
    </message>
    <message>
        <source>Install it with “Install…” on the page that trains, or with the command: {0}</source>
        <translation>Instálelo con «Instalar…» en la página de entrenamiento o con la orden: {0}</translation>
    </message>
    <message>
        <source>Install one, or leave it out.</source>
        <translation>Instale uno, o prescinda de ella.</translation>
    </message>
    <message>
        <source>Install the Build Tools for Visual Studio, with C++.</source>
        <translation>Instale Build Tools para Visual Studio, con C++.</translation>
    </message>
    <message>
        <source>Install the same version on both.</source>
        <translation>Instale la misma versión en ambos.</translation>
    </message>
    <message>
        <source>Install these packages of your system: {0}</source>
        <translation>Instale estos paquetes de su sistema: {0}</translation>
    </message>
    <message>
        <source>Install version {0} there.</source>
        <translation>Instale allí la versión {0}.</translation>
    </message>
    <message>
        <source>Installing PyTorch</source>
        <translation>Instalando PyTorch</translation>
    </message>
    <message>
        <source>Installing what a training needs</source>
        <translation>Instalando lo que necesita un entrenamiento</translation>
    </message>
    <message>
        <source>It belongs to another user, and everybody may write into it: its files could be exchanged.</source>
        <translation>Pertenece a otro usuario y cualquiera puede escribir en ella: sus archivos podrían sustituirse.</translation>
    </message>
    <message>
        <source>It brings PyTorch for NVIDIA cards.</source>
        <translation>Incluye PyTorch para tarjetas NVIDIA.</translation>
    </message>
    <message>
        <source>It brings PyTorch for the CPU.</source>
        <translation>Incluye PyTorch para la CPU.</translation>
    </message>
    <message>
        <source>It cannot be loaded ({0}): neither models nor training work. Presets do.</source>
        <translation>No se puede cargar ({0}): no funcionan ni los modelos ni el entrenamiento. Los ajustes predefinidos, sí.</translation>
    </message>
    <message>
        <source>It cannot be loaded in the training part&apos;s environment: neither models nor training work. Presets do.</source>
        <translation>No se puede cargar en el entorno del componente de entrenamiento: no funcionan ni los modelos ni los entrenamientos. Los preajustes, sí.</translation>
    </message>
    <message>
        <source>It cannot be opened any more.</source>
        <translation>Ya no se puede abrir.</translation>
    </message>
    <message>
        <source>It cannot be used: {0}</source>
        <translation>No se puede usar: {0}</translation>
    </message>
    <message>
        <source>It cannot be written. The system says: {0}.</source>
        <translation>No se puede escribir. El sistema dice: {0}.</translation>
    </message>
    <message>
        <source>It carries no card and checksum of Fullfield.</source>
        <translation>No lleva la ficha ni la suma de comprobación de Fullfield.</translation>
    </message>
    <message>
        <source>It changed while it was being read.</source>
        <translation>Cambió mientras se estaba leyendo.</translation>
    </message>
    <message>
        <source>It could not be checked: {0}.</source>
        <translation>No se ha podido comprobar: {0}.</translation>
    </message>
    <message>
        <source>It could not be decoded, for a reason that we did not foresee.</source>
        <translation>No se ha podido descodificar, por un motivo que no habíamos previsto.</translation>
    </message>
    <message>
        <source>It could not write its files, nor say why; most often because the disk is full. Free some space.</source>
        <translation>No pudo escribir sus archivos ni decir por qué; lo más frecuente es que el disco esté lleno. Libere espacio.</translation>
    </message>
    <message>
        <source>It does not accept this user&apos;s key.</source>
        <translation>No acepta la clave de este usuario.</translation>
    </message>
    <message>
        <source>It does not answer.</source>
        <translation>No responde.</translation>
    </message>
    <message>
        <source>It does not say its {0} {1}.</source>
        <translation>No indica su {0} {1}.</translation>
    </message>
    <message>
        <source>It does not say what it is: it has no SOP Class UID (0008,0016).</source>
        <translation>No dice lo que es: le falta SOP Class UID (0008,0016).</translation>
    </message>
    <message>
        <source>It does not say what its pixels mean: Photometric Interpretation (0028,0004) is missing.</source>
        <translation>No dice lo que significan sus píxeles: falta Photometric Interpretation (0028,0004).</translation>
    </message>
    <message>
        <source>It does not say which version it has.</source>
        <translation>No dice qué versión tiene.</translation>
    </message>
    <message>
        <source>It ended by itself, with exit code {0}.</source>
        <translation>Terminó por sí solo, con el código de salida {0}.</translation>
    </message>
    <message>
        <source>It ended with exit code {0}: it is another version, or not Fullfield.</source>
        <translation>Terminó con el código {0}: es otra versión, o no es Fullfield.</translation>
    </message>
    <message>
        <source>It ended without an answer.</source>
        <translation>Terminó sin respuesta.</translation>
    </message>
    <message>
        <source>It goes on elsewhere ({0}).</source>
        <translation>Continúa en otro lugar ({0}).</translation>
    </message>
    <message>
        <source>It goes on from its first step, in less memory, more slowly and with the same gradients: {0}.</source>
        <translation>Continúa desde su primer paso, con menos memoria, más despacio y con los mismos gradientes: {0}.</translation>
    </message>
    <message>
        <source>It goes on from the last checkpoint, in less memory, more slowly and with the same gradients: {0}.</source>
        <translation>Continúa desde el último punto guardado, con menos memoria, más despacio y con los mismos gradientes: {0}.</translation>
    </message>
    <message>
        <source>It has fewer events than were read.</source>
        <translation>Tiene menos sucesos de los que se leyeron.</translation>
    </message>
    <message>
        <source>It has no SOP Instance UID (0008,0018).</source>
        <translation>Le falta SOP Instance UID (0008,0018).</translation>
    </message>
    <message>
        <source>It has no member {0}.</source>
        <translation>No tiene el miembro {0}.</translation>
    </message>
    <message>
        <source>It has not for {0} seconds.</source>
        <translation>No lo ha hecho en {0} segundos.</translation>
    </message>
    <message>
        <source>It has {0} members, and {1} to {2} are possible.</source>
        <translation>Tiene {0} miembros, y son posibles de {1} a {2}.</translation>
    </message>
    <message>
        <source>It has {0} {1}, and this computer has {2}.</source>
        <translation>Tiene {0} {1}, y este ordenador tiene {2}.</translation>
    </message>
    <message>
        <source>It has {0}.</source>
        <translation>Tiene {0}.</translation>
    </message>
    <message>
        <source>It holds compressed pixels, and says that they are uncompressed.</source>
        <translation>Contiene píxeles comprimidos, y dice que están sin comprimir.</translation>
    </message>
    <message>
        <source>It holds more compressed images than it says.</source>
        <translation>Contiene más imágenes comprimidas de las que dice.</translation>
    </message>
    <message>
        <source>It holds more than weights.</source>
        <translation>Contiene algo más que pesos.</translation>
    </message>
    <message>
        <source>It holds more than {0} elements: no radiograph does.</source>
        <translation>Contiene más de {0} elementos: ninguna radiografía los tiene.</translation>
    </message>
    <message>
        <source>It holds no Directory Record Sequence (0004,1220).</source>
        <translation>No contiene ninguna Directory Record Sequence (0004,1220).</translation>
    </message>
    <message>
        <source>It holds no Pixel Data (7FE0,0010).</source>
        <translation>No contiene Pixel Data (7FE0,0010).</translation>
    </message>
    <message>
        <source>It holds pixels for more images than it says.</source>
        <translation>Contiene píxeles de más imágenes de las que dice.</translation>
    </message>
    <message>
        <source>It holds {0} frames.</source>
        <translation>Contiene {0} imágenes.</translation>
    </message>
    <message>
        <source>It holds {0} {1} twice.</source>
        <translation>Contiene {0} {1} dos veces.</translation>
    </message>
    <message>
        <source>It is a PyTorch or pickle file (.pt, .pth, .ckpt), which can carry a program.</source>
        <translation>Es un archivo de PyTorch o pickle (.pt, .pth, .ckpt), que puede llevar un programa dentro.</translation>
    </message>
    <message>
        <source>It is a folder or a link, not a file.</source>
        <translation>Es una carpeta o un enlace, no un archivo.</translation>
    </message>
    <message>
        <source>It is a part of the program.</source>
        <translation>Es parte del programa.</translation>
    </message>
    <message>
        <source>It is a phantom&apos;s picture for display.</source>
        <translation>Es la imagen de un fantoma para mostrarse.</translation>
    </message>
    <message>
        <source>It is a phantom&apos;s raw exposure.</source>
        <translation>Es la exposición sin procesar de un fantoma.</translation>
    </message>
    <message>
        <source>It is a scene&apos;s picture for display.</source>
        <translation>Es la imagen de una escena, procesada para mostrarla.</translation>
    </message>
    <message>
        <source>It is a scene&apos;s raw exposure.</source>
        <translation>Es la exposición sin procesar de una escena.</translation>
    </message>
    <message>
        <source>It is an ensemble of {0} networks, and one is needed here.</source>
        <translation>Es un conjunto de {0} redes, y aquí hace falta una.</translation>
    </message>
    <message>
        <source>It is another version&apos;s.</source>
        <translation>Es de otra versión.</translation>
    </message>
    <message>
        <source>It is another version, or somebody has taken it over.</source>
        <translation>Es otra versión, o alguien se ha apoderado de él.</translation>
    </message>
    <message>
        <source>It is another version.</source>
        <translation>Es otra versión.</translation>
    </message>
    <message>
        <source>It is being installed or removed already.</source>
        <translation>Ya se está instalando o quitando.</translation>
    </message>
    <message>
        <source>It is better than {0} on {1} of them (sign test, p = {2}).</source>
        <translation>Es mejor que {0} en {1} de ellos (prueba de los signos, p = {2}).</translation>
    </message>
    <message>
        <source>It is better than {0} on {1} of {2} patients, which chance alone may give (sign test, p = {3}).</source>
        <translation>Es mejor que {0} en {1} de {2} pacientes, lo que puede deberse al azar (prueba de los signos, p = {3}).</translation>
    </message>
    <message>
        <source>It is cut short.</source>
        <translation>Está incompleto.</translation>
    </message>
    <message>
        <source>It is cut short: a fragment says {0} bytes, and {1} are left.</source>
        <translation>Está incompleto: un fragmento indica {0} bytes, y quedan {1}.</translation>
    </message>
    <message>
        <source>It is cut short: a sequence is not closed.</source>
        <translation>Está incompleto: hay una secuencia sin cerrar.</translation>
    </message>
    <message>
        <source>It is cut short: element {0} says {1} bytes, and {2} are left.</source>
        <translation>Está incompleto: el elemento {0} indica {1} bytes, y quedan {2}.</translation>
    </message>
    <message>
        <source>It is cut short: it ends in the middle of an element.</source>
        <translation>Está incompleto: termina en medio de un elemento.</translation>
    </message>
    <message>
        <source>It is cut short: its compressed image has no end.</source>
        <translation>Está incompleto: su imagen comprimida no tiene final.</translation>
    </message>
    <message>
        <source>It is cut short: its compressed pixels are not closed.</source>
        <translation>Está incompleto: sus píxeles comprimidos no están cerrados.</translation>
    </message>
    <message>
        <source>It is cut short: its deflated data set does not end.</source>
        <translation>Está incompleto: su conjunto de datos comprimido no termina.</translation>
    </message>
    <message>
        <source>It is cut short: its image needs {0} bytes, and {1} are there.</source>
        <translation>Está incompleto: su imagen necesita {0} bytes, y hay {1}.</translation>
    </message>
    <message>
        <source>It is empty.</source>
        <translation>Está vacío.</translation>
    </message>
    <message>
        <source>It is encrypted.</source>
        <translation>Está cifrado.</translation>
    </message>
    <message>
        <source>It is ended where it takes too much time or memory.</source>
        <translation>Se interrumpe cuando toma demasiado tiempo o memoria.</translation>
    </message>
    <message>
        <source>It is far larger than any model of this program.</source>
        <translation>Es mucho mayor que cualquier modelo de este programa.</translation>
    </message>
    <message>
        <source>It is installed for Python {0}, and takes about {1} MB then.</source>
        <translation>Se instala para Python {0} y ocupa entonces unos {1} MB.</translation>
    </message>
    <message>
        <source>It is larger than the archive says.</source>
        <translation>Es mayor de lo que dice el archivo ZIP.</translation>
    </message>
    <message>
        <source>It is larger than {0} GiB: no radiograph is.</source>
        <translation>Es mayor de {0} GiB: ninguna radiografía lo es.</translation>
    </message>
    <message>
        <source>It is larger than {0} MiB: no index of a medium is.</source>
        <translation>Ocupa más de {0} MiB: ningún índice de un soporte es tan grande.</translation>
    </message>
    <message>
        <source>It is no file of weights alone, or it is damaged; a file that carries a program is never opened.</source>
        <translation>No es un archivo que contenga solo pesos, o está dañado; un archivo que lleva un programa nunca se abre.</translation>
    </message>
    <message>
        <source>It is no line of JSON.</source>
        <translation>No es una línea de JSON.</translation>
    </message>
    <message>
        <source>It is no name of a run.</source>
        <translation>No es el nombre de una ejecución.</translation>
    </message>
    <message>
        <source>It is no whole safetensors file.</source>
        <translation>No es un archivo safetensors completo.</translation>
    </message>
    <message>
        <source>It is none that may be written anew, and stays as it is.</source>
        <translation>No es uno que se pueda escribir de nuevo, y queda como está.</translation>
    </message>
    <message>
        <source>It is not TOML: {0}.</source>
        <translation>No es TOML: {0}.</translation>
    </message>
    <message>
        <source>It is not a safetensors file.</source>
        <translation>No es un archivo safetensors.</translation>
    </message>
    <message>
        <source>It is not a text file in UTF-8.</source>
        <translation>No es un archivo de texto en UTF-8.</translation>
    </message>
    <message>
        <source>It is not better than doing nothing, as far as anybody knows: it was never measured.</source>
        <translation>No es mejor que no hacer nada, que se sepa: nunca se midió.</translation>
    </message>
    <message>
        <source>It is not enhanced yet.</source>
        <translation>Aún no está realzada.</translation>
    </message>
    <message>
        <source>It is not in the archive any more.</source>
        <translation>Ya no está en el archivo ZIP.</translation>
    </message>
    <message>
        <source>It is not installed: an engine for servers enhances by fullfield --batch.</source>
        <translation>No está instalada: un motor para servidores mejora con fullfield --batch.</translation>
    </message>
    <message>
        <source>It is not open.</source>
        <translation>No está abierta.</translation>
    </message>
    <message>
        <source>It is part of this program.</source>
        <translation>Forma parte de este programa.</translation>
    </message>
    <message>
        <source>It is raw.</source>
        <translation>Es una imagen sin procesar.</translation>
    </message>
    <message>
        <source>It is running already.</source>
        <translation>Ya está en marcha.</translation>
    </message>
    <message>
        <source>It is running.</source>
        <translation>Está en marcha.</translation>
    </message>
    <message>
        <source>It is started again when the line is back.</source>
        <translation>Se inicia de nuevo cuando vuelve la conexión.</translation>
    </message>
    <message>
        <source>It is the input folder itself, where results would be taken for inputs.</source>
        <translation>Es la propia carpeta de entrada, donde los resultados se tomarían por entradas.</translation>
    </message>
    <message>
        <source>It is the login node of a cluster, where nothing is to be computed.</source>
        <translation>Es el nodo de acceso de un clúster, donde no se debe calcular nada.</translation>
    </message>
    <message>
        <source>It is written for the blocks of ResNet-34 and ResNet-18; {0} has others.</source>
        <translation>Está escrito para los bloques de ResNet-34 y ResNet-18; {0} tiene otros.</translation>
    </message>
    <message>
        <source>It lists a file outside of its folder.</source>
        <translation>Nombra un archivo que está fuera de su carpeta.</translation>
    </message>
    <message>
        <source>It lists a file whose name leads out of its folder, or is none.</source>
        <translation>Nombra un archivo cuyo nombre lleva fuera de su carpeta, o no es un nombre.</translation>
    </message>
    <message>
        <source>It lists more than {0} files.</source>
        <translation>Nombra más de {0} archivos.</translation>
    </message>
    <message>
        <source>It lists no file.</source>
        <translation>No nombra ningún archivo.</translation>
    </message>
    <message>
        <source>It looks at the whole image, for which memory ran out.</source>
        <translation>Mira la imagen entera, para la que no ha bastado la memoria.</translation>
    </message>
    <message>
        <source>It may go on on {0}, to which there is no line.</source>
        <translation>Es posible que continúe en {0}, con el que no hay conexión.</translation>
    </message>
    <message>
        <source>It needs a Python of this computer, from 3.11 to 3.14 in 64 bits, with its module venv, and none was found.</source>
        <translation>Necesita un Python de este equipo, de 3.11 a 3.14 y de 64 bits, con su módulo venv, y no se ha encontrado ninguno.</translation>
    </message>
    <message>
        <source>It needs more memory than a radiograph may.</source>
        <translation>Necesita más memoria de la que puede ocupar una radiografía.</translation>
    </message>
    <message>
        <source>It says that it is larger than any radiograph.</source>
        <translation>Dice ser mayor que cualquier radiografía.</translation>
    </message>
    <message>
        <source>It says that its pixels are {0}, and they are not compressed.</source>
        <translation>Dice que sus píxeles son {0}, y no están comprimidos.</translation>
    </message>
    <message>
        <source>It says that its pixels are {0}, and they are {1}.</source>
        <translation>Dice que sus píxeles son {0}, y son {1}.</translation>
    </message>
    <message>
        <source>It shows colours, and not only shades of grey.</source>
        <translation>Muestra colores, y no solo tonos de gris.</translation>
    </message>
    <message>
        <source>It starts without ImageNet weights: not every machine that trains has them (fullfield weights fetch).</source>
        <translation>Empieza sin los pesos de ImageNet: no los tienen todas las máquinas que entrenan (fullfield weights fetch).</translation>
    </message>
    <message>
        <source>It takes {0} MB while it is installed, and {1} MB are free there.</source>
        <translation>Ocupa {0} MB durante la instalación y ahí hay {1} MB libres.</translation>
    </message>
    <message>
        <source>It was begun with other settings: {0}.</source>
        <translation>Se empezó con otros ajustes: {0}.</translation>
    </message>
    <message>
        <source>It was begun with {0}, which is not asked for now.</source>
        <translation>Se empezó con {0}, que ahora no se pide.</translation>
    </message>
    <message>
        <source>It was begun without {0}.</source>
        <translation>Se empezó sin {0}.</translation>
    </message>
    <message>
        <source>It was ended by its installer with code {0}.</source>
        <translation>El instalador terminó con el código {0}.</translation>
    </message>
    <message>
        <source>It was forgotten meanwhile.</source>
        <translation>Entretanto se ha olvidado.</translation>
    </message>
    <message>
        <source>It was forgotten meanwhile. Start again.</source>
        <translation>Entretanto se olvidó. Empiece de nuevo.</translation>
    </message>
    <message>
        <source>It was forgotten: after 7 days, or because somebody asked for it.</source>
        <translation>Se olvidó: pasados 7 días, o porque alguien lo pidió.</translation>
    </message>
    <message>
        <source>It was installed for Fullfield {0}, and this is {1}.</source>
        <translation>Se instaló para Fullfield {0}, y este es {1}.</translation>
    </message>
    <message>
        <source>It was killed, or the system had no memory left.</source>
        <translation>Se cerró a la fuerza, o el sistema se quedó sin memoria.</translation>
    </message>
    <message>
        <source>It was made by another version.</source>
        <translation>Lo creó otra versión.</translation>
    </message>
    <message>
        <source>It was prepared by another version of Fullfield.</source>
        <translation>Lo preparó otra versión de Fullfield.</translation>
    </message>
    <message>
        <source>It was simulated from a processed image.</source>
        <translation>Se simuló a partir de una imagen procesada.</translation>
    </message>
    <message>
        <source>It was switched off, lost power, or was restarted.</source>
        <translation>Se apagó, se quedó sin corriente o se reinició.</translation>
    </message>
    <message>
        <source>It would be larger than a file of this user (ulimit -f) or of this disk may be.</source>
        <translation>Sería más grande de lo que puede ser un archivo de este usuario (ulimit -f) o de este disco.</translation>
    </message>
    <message>
        <source>It would learn from, or be judged by, other patients than those that it was begun with: which are kept apart, the model that it begins from decides.</source>
        <translation>Aprendería de otros pacientes, o se juzgaría por otros, que aquellos con los que se empezó: cuáles se apartan lo decide el modelo del que parte.</translation>
    </message>
    <message>
        <source>Its Bits Allocated is {0}; radiographs have 8 or 16.</source>
        <translation>Su Bits Allocated es {0}; las radiografías tienen 8 o 16.</translation>
    </message>
    <message>
        <source>Its Bits Stored is {0} of {1} allocated.</source>
        <translation>Su Bits Stored es {0} de {1} asignados.</translation>
    </message>
    <message>
        <source>Its High Bit is {0} of {1} allocated.</source>
        <translation>Su High Bit es {0} de {1} asignados.</translation>
    </message>
    <message>
        <source>Its JPEG 2000 pixels are neither grey nor three equal components.</source>
        <translation>Sus píxeles JPEG 2000 no son ni grises ni tres componentes iguales.</translation>
    </message>
    <message>
        <source>Its JPEG 2000 pixels are subsampled.</source>
        <translation>Sus píxeles JPEG 2000 están submuestreados.</translation>
    </message>
    <message>
        <source>Its JPEG 2000 pixels say {0} tiles.</source>
        <translation>Sus píxeles JPEG 2000 indican {0} teselas.</translation>
    </message>
    <message>
        <source>Its JPEG pixels have no frame header.</source>
        <translation>Sus píxeles JPEG no tienen cabecera de imagen.</translation>
    </message>
    <message>
        <source>Its Number of Frames (0028,0008) is no number of images.</source>
        <translation>Su Number of Frames (0028,0008) no es un número de imágenes.</translation>
    </message>
    <message>
        <source>Its Photometric Interpretation does not fit {0} samples per pixel.</source>
        <translation>Su Photometric Interpretation no corresponde a {0} muestras por píxel.</translation>
    </message>
    <message>
        <source>Its Pixel Data (7FE0,0010) are empty.</source>
        <translation>Su Pixel Data (7FE0,0010) está vacío.</translation>
    </message>
    <message>
        <source>Its Pixel Data (7FE0,0010) are not pixels.</source>
        <translation>Su Pixel Data (7FE0,0010) no contiene píxeles.</translation>
    </message>
    <message>
        <source>Its Pixel Data (7FE0,0010) hold no image.</source>
        <translation>Su Pixel Data (7FE0,0010) no contiene ninguna imagen.</translation>
    </message>
    <message>
        <source>Its Pixel Representation is {0}; it must be 0 or 1.</source>
        <translation>Su Pixel Representation es {0}; debe ser 0 o 1.</translation>
    </message>
    <message>
        <source>Its RLE pixels say {0} segments where {1} are needed.</source>
        <translation>Sus píxeles RLE indican {0} segmentos donde hacen falta {1}.</translation>
    </message>
    <message>
        <source>Its Rescale Slope or Intercept (0028,1053) is no number.</source>
        <translation>Su Rescale Slope o Intercept (0028,1053) no es un número.</translation>
    </message>
    <message>
        <source>Its Study Instance UID has a part that begins with 0, which DICOM forbids; it is kept as it is, so that the images of a study stay together.</source>
        <translation>Su Study Instance UID tiene una parte que empieza por 0, lo que DICOM prohíbe; se conserva tal cual, para que las imágenes de un estudio sigan juntas.</translation>
    </message>
    <message>
        <source>Its WebP file holds no picture.</source>
        <translation>Su archivo WebP no contiene ninguna imagen.</translation>
    </message>
    <message>
        <source>Its address {0} is not [user@]host[:port], or a name of ~/.ssh/config.</source>
        <translation>Su dirección {0} no es [user@]host[:port] ni un nombre de ~/.ssh/config.</translation>
    </message>
    <message>
        <source>Its card cannot be read, or was written by a newer version of Fullfield.</source>
        <translation>Su ficha no se puede leer, o la escribió una versión más reciente de Fullfield.</translation>
    </message>
    <message>
        <source>Its card would hold a text that is too long or has control signs, or another value that no card may.</source>
        <translation>Su ficha contendría un texto demasiado largo o con signos de control, u otro valor que ninguna ficha puede tener.</translation>
    </message>
    <message>
        <source>Its checkpoints were made by another version of Fullfield.</source>
        <translation>Otra versión de Fullfield creó sus puntos de control.</translation>
    </message>
    <message>
        <source>Its compressed image cannot be decoded.</source>
        <translation>Su imagen comprimida no se puede descodificar.</translation>
    </message>
    <message>
        <source>Its compressed image has {0} bits per sample.</source>
        <translation>Su imagen comprimida tiene {0} bits por muestra.</translation>
    </message>
    <message>
        <source>Its compressed image is not of the size that its header says.</source>
        <translation>Su imagen comprimida no tiene el tamaño que dice su cabecera.</translation>
    </message>
    <message>
        <source>Its compressed image of {0} bytes is larger than its uncompressed one would be.</source>
        <translation>Su imagen comprimida, de {0} bytes, es mayor de lo que sería sin comprimir.</translation>
    </message>
    <message>
        <source>Its compressed pixels are no JPEG 2000.</source>
        <translation>Sus píxeles comprimidos no son JPEG 2000.</translation>
    </message>
    <message>
        <source>Its compressed pixels are no JPEG.</source>
        <translation>Sus píxeles comprimidos no son JPEG.</translation>
    </message>
    <message>
        <source>Its content does not match the checksum inside it: it was damaged or changed after it was made.</source>
        <translation>Su contenido no coincide con la suma de comprobación que lleva dentro: se dañó o se modificó después de crearse.</translation>
    </message>
    <message>
        <source>Its content has another hash.</source>
        <translation>Su contenido tiene otro hash.</translation>
    </message>
    <message>
        <source>Its decoded pixels vanished from the cache.</source>
        <translation>Sus píxeles descodificados han desaparecido de la caché.</translation>
    </message>
    <message>
        <source>Its deflated data set cannot be inflated.</source>
        <translation>Su conjunto de datos comprimido no se puede descomprimir.</translation>
    </message>
    <message>
        <source>Its deflated data set grows past {0} MiB: no radiograph&apos;s does.</source>
        <translation>Su conjunto de datos comprimido supera {0} MiB: el de ninguna radiografía lo hace.</translation>
    </message>
    <message>
        <source>Its file has been changed since it was chosen.</source>
        <translation>Su archivo ha cambiado desde que se eligió.</translation>
    </message>
    <message>
        <source>Its file has changed meanwhile, or is gone.</source>
        <translation>Su archivo ha cambiado entretanto o ya no está.</translation>
    </message>
    <message>
        <source>Its file has changed since it was opened.</source>
        <translation>Su archivo ha cambiado desde que se abrió.</translation>
    </message>
    <message>
        <source>Its file is damaged, or a newer version of the program wrote it.</source>
        <translation>Su archivo está dañado, o lo escribió una versión más reciente del programa.</translation>
    </message>
    <message>
        <source>Its header says {0} by {1} pixels, and its compressed image {2} by {3}.</source>
        <translation>Su cabecera indica {0} por {1} píxeles, y su imagen comprimida, {2} por {3}.</translation>
    </message>
    <message>
        <source>Its header says {0} samples per pixel, and its compressed image {1}.</source>
        <translation>Su cabecera indica {0} muestras por píxel, y su imagen comprimida, {1}.</translation>
    </message>
    <message>
        <source>Its host key is not the one that this computer knows: it was installed anew, or another machine answers.</source>
        <translation>Su clave de máquina no es la que este ordenador conoce: se instaló de nuevo, o responde otra máquina.</translation>
    </message>
    <message>
        <source>Its job.json is missing or damaged.</source>
        <translation>Su job.json falta o está dañado.</translation>
    </message>
    <message>
        <source>Its limits in {0} are damaged.</source>
        <translation>Sus límites, en {0}, están dañados.</translation>
    </message>
    <message>
        <source>Its limits in {0} cannot be read.</source>
        <translation>Sus límites, en {0}, no se pueden leer.</translation>
    </message>
    <message>
        <source>Its list prepared.json cannot be read.</source>
        <translation>Su lista prepared.json no se puede leer.</translation>
    </message>
    <message>
        <source>Its matrix is {0} and its largest value {1} in {2} bits; the original&apos;s matrix is {3}.</source>
        <translation>Su matriz es {0} y su mayor valor {1} en {2} bits; la matriz del original es {3}.</translation>
    </message>
    <message>
        <source>Its matrix of {0} rows and {1} columns is no radiograph&apos;s.</source>
        <translation>Su matriz de {0} filas y {1} columnas no es la de una radiografía.</translation>
    </message>
    <message>
        <source>Its mode is {0}.</source>
        <translation>Su modo es {0}.</translation>
    </message>
    <message>
        <source>Its name has signs that cannot be written in the locale of this system.</source>
        <translation>Su nombre tiene signos que no se pueden escribir en la configuración regional de este sistema.</translation>
    </message>
    <message>
        <source>Its name {0} is not made of letters, digits, points and dashes, or is {1}.</source>
        <translation>Su nombre {0} no consta de letras, cifras, puntos y guiones, o es {1}.</translation>
    </message>
    <message>
        <source>Its normalisation is not known to this version.</source>
        <translation>Esta versión no conoce su normalización.</translation>
    </message>
    <message>
        <source>Its pixels are in a JPEG process (SOF{0}) that DICOM does not use.</source>
        <translation>Sus píxeles están en un proceso JPEG (SOF{0}) que DICOM no usa.</translation>
    </message>
    <message>
        <source>Its pixels are numbers of a colour palette.</source>
        <translation>Sus píxeles son números de una paleta de colores.</translation>
    </message>
    <message>
        <source>Its pixels are {0}.</source>
        <translation>Sus píxeles son {0}.</translation>
    </message>
    <message>
        <source>Its red, green and blue differ.</source>
        <translation>Su rojo, su verde y su azul difieren.</translation>
    </message>
    <message>
        <source>Its sequences are nested more than {0} deep: no radiograph&apos;s are.</source>
        <translation>Sus secuencias están anidadas en más de {0} niveles: las de ninguna radiografía lo están.</translation>
    </message>
    <message>
        <source>Its settings are damaged: {0}.</source>
        <translation>Sus ajustes están dañados: {0}.</translation>
    </message>
    <message>
        <source>Its shell does not find the command {0}.</source>
        <translation>Su intérprete no encuentra la orden {0}.</translation>
    </message>
    <message>
        <source>Its split.json is missing or damaged.</source>
        <translation>Su split.json falta o está dañado.</translation>
    </message>
    <message>
        <source>Its tensors cannot be read.</source>
        <translation>Sus tensores no se pueden leer.</translation>
    </message>
    <message>
        <source>Its time there is over.</source>
        <translation>Su tiempo allí ha terminado.</translation>
    </message>
    <message>
        <source>Its weights are far larger than those of any network of this program.</source>
        <translation>Sus pesos son mucho mayores que los de cualquier red de este programa.</translation>
    </message>
    <message>
        <source>Its weights are not plain tensors.</source>
        <translation>Sus pesos no son tensores simples.</translation>
    </message>
    <message>
        <source>Its weights need more memory than any network of this program.</source>
        <translation>Sus pesos necesitan más memoria que cualquier red de este programa.</translation>
    </message>
    <message>
        <source>Its wheels come from the folder ({0} MB are there), and nothing over a network.</source>
        <translation>Sus paquetes (wheels) vienen de la carpeta (en ella hay {0} MB), y nada por la red.</translation>
    </message>
    <message>
        <source>Its {0} cannot be decoded.</source>
        <translation>Su {0} no se puede descodificar.</translation>
    </message>
    <message>
        <source>Its {0} {1} is malformed.</source>
        <translation>Su {0} {1} está mal formado.</translation>
    </message>
    <message>
        <source>Its {0} {1} is not one number as the standard writes it.</source>
        <translation>Su {0} {1} no es un número como lo escribe la norma.</translation>
    </message>
    <message>
        <source>Kinds: {0}.</source>
        <translation>Tipos: {0}.</translation>
    </message>
    <message>
        <source>Known kinds: {0}.</source>
        <translation>Tipos conocidos: {0}.</translation>
    </message>
    <message>
        <source>Known places: {0}.</source>
        <translation>Lugares conocidos: {0}.</translation>
    </message>
    <message>
        <source>Known: {0}.</source>
        <translation>Conocidos: {0}.</translation>
    </message>
    <message>
        <source>LARS moves the weights of a layer by at most the learning rate times the trust coefficient of their size, before momentum: choose a learning rate far above that of Adam, such as 1.</source>
        <translation>LARS mueve los pesos de una capa, antes de la inercia, como máximo la tasa de aprendizaje por el coeficiente de confianza de su magnitud: elija una tasa de aprendizaje muy superior a la de Adam, por ejemplo 1.</translation>
    </message>
    <message>
        <source>Large radiographs and training need 8 GiB or more.</source>
        <translation>Las radiografías grandes y el entrenamiento necesitan 8 GiB o más.</translation>
    </message>
    <message>
        <source>Lay them as raw/ and reference/ with equal names, or list them in pairs.csv.</source>
        <translation>Colóquelos en raw/ y reference/ con nombres iguales, o indíquelos en pairs.csv.</translation>
    </message>
    <message>
        <source>Learned</source>
        <translation>Aprendido</translation>
    </message>
    <message>
        <source>Leave it out, or train a U-Net (--network unet).</source>
        <translation>Quítela, o entrene una U-Net (--network unet).</translation>
    </message>
    <message>
        <source>Leave it out.</source>
        <translation>Prescinda de ella.</translation>
    </message>
    <message>
        <source>Leave one of them out.</source>
        <translation>Prescinda de una de ellas.</translation>
    </message>
    <message>
        <source>Leave out --gpu and --cards.</source>
        <translation>Omita --gpu y --cards.</translation>
    </message>
    <message>
        <source>Leave out --link, or name several: --cards &quot;RTX 2070 x2&quot;, --processes 2.</source>
        <translation>Omita --link, o indique varios: --cards &quot;RTX 2070 x2&quot;, --processes 2.</translation>
    </message>
    <message>
        <source>Leave the choice out.</source>
        <translation>Omita la elección.</translation>
    </message>
    <message>
        <source>Leave them out of --techniques.</source>
        <translation>Quítelas de --techniques.</translation>
    </message>
    <message>
        <source>Less is seen with it than with {0}: the median d′ of {1} signals is {2} times as high, and {3} of them lose a tenth of what the source shows, where {4} did.</source>
        <translation>Con él se ve menos que con {0}: la mediana de d′ de {1} señales es {2} veces la de antes, y {3} de ellas pierden una décima parte de lo que muestra el original; antes eran {4}.</translation>
    </message>
    <message>
        <source>Let all of them train on the CPU (--device cpu), or each on a card that nothing else uses.</source>
        <translation>Haga que todos entrenen en la CPU (--device cpu), o cada uno en una tarjeta que nadie más use.</translation>
    </message>
    <message>
        <source>Let all of them train on the CPU (--device cpu), or leave out those without a card.</source>
        <translation>Deje que todos entrenen en la CPU (--device cpu), u omita los que no tienen tarjeta.</translation>
    </message>
    <message>
        <source>Let it be used on raw images, or add images that are processed for display.</source>
        <translation>Elija usarlo con imágenes sin procesar, o añada imágenes procesadas para su visualización.</translation>
    </message>
    <message>
        <source>Let this user alone read it (chmod 700): images of patients and names of their files lie in it.</source>
        <translation>Permita leerla solo a este usuario (chmod 700): contiene imágenes de pacientes y nombres de sus archivos.</translation>
    </message>
    <message>
        <source>Limbs and joints</source>
        <translation>Extremidades y articulaciones</translation>
    </message>
    <message>
        <source>Limbs and joints, raw input</source>
        <translation>Extremidades y articulaciones, sin procesar</translation>
    </message>
    <message>
        <source>Line {0} of pairs.csv: its {1} is not there or cannot be read.</source>
        <translation>Línea {0} de pairs.csv: su {1} no está o no se puede leer.</translation>
    </message>
    <message>
        <source>Line {0} of pairs.csv: one of its images is in another line with another partner.</source>
        <translation>Línea {0} de pairs.csv: una de sus imágenes está en otra línea con otra pareja.</translation>
    </message>
    <message>
        <source>Look at a pair: input and reference must show the same, in the same polarity. If they do, train with more l1_steps or with the loss ms_ssim+l1.</source>
        <translation>Mire un par: la entrada y la referencia deben mostrar lo mismo, con la misma polaridad. Si es así, entrene con más l1_steps o con la pérdida ms_ssim+l1.</translation>
    </message>
    <message>
        <source>Look at its files, or choose another run.</source>
        <translation>Revise sus archivos o elija otro entrenamiento.</translation>
    </message>
    <message>
        <source>Look at the options that this node was added with: fullfield node add … --slurm OPTIONS.</source>
        <translation>Revise las opciones con las que se añadió este nodo: fullfield node add … --slurm OPTIONS.</translation>
    </message>
    <message>
        <source>Look at their runs, then go on with this one.</source>
        <translation>Mire sus entrenamientos y luego continúe con este.</translation>
    </message>
    <message>
        <source>Look at this result twice: {0}.</source>
        <translation>Mire este resultado dos veces: {0}.</translation>
    </message>
    <message>
        <source>Look at what there is now, and choose again.</source>
        <translation>Vea lo que hay ahora y elija de nuevo.</translation>
    </message>
    <message>
        <source>Looking whether signals are seen no less</source>
        <translation>Comprobando si las señales se ven igual de bien</translation>
    </message>
    <message>
        <source>MS-SSIM is 0 for whole images, and its gradient with it: the network&apos;s output does not correlate with the reference, as with references of opposite polarity.</source>
        <translation>MS-SSIM es 0 para imágenes enteras, y con él su gradiente: la salida de la red no se correlaciona con la referencia, como ocurre con referencias de polaridad opuesta.</translation>
    </message>
    <message>
        <source>MS-SSIM needs {0} pixels a side, and {1} are the most that a plan is made for.</source>
        <translation>MS-SSIM necesita {0} píxeles de lado, y solo se hacen planes para {1} como máximo.</translation>
    </message>
    <message>
        <source>Made from synthetic phantoms alone.</source>
        <translation>Hecho solo con fantomas sintéticos.</translation>
    </message>
    <message>
        <source>Make the folder first, or name a file in one that is there.</source>
        <translation>Cree antes la carpeta, o indique un archivo en una que exista.</translation>
    </message>
    <message>
        <source>Making the 8-bit model</source>
        <translation>Creando el modelo de 8 bits</translation>
    </message>
    <message>
        <source>Mammography</source>
        <translation>Mamografía</translation>
    </message>
    <message>
        <source>Mammography, raw input</source>
        <translation>Mamografía, sin procesar</translation>
    </message>
    <message>
        <source>Measuring what simple methods reach</source>
        <translation>Midiendo lo que alcanzan los métodos sencillos</translation>
    </message>
    <message>
        <source>Member {0} differs from the first in: {1}.</source>
        <translation>El miembro {0} difiere del primero en: {1}.</translation>
    </message>
    <message>
        <source>Memory ran out on {0}: trying tiles of half the size.</source>
        <translation>La memoria se ha agotado en {0}: se prueba con teselas de la mitad de tamaño.</translation>
    </message>
    <message>
        <source>Memory ran out.</source>
        <translation>La memoria se ha agotado.</translation>
    </message>
    <message>
        <source>Memory: forward {0}, backward {1} (process memory, no graphics card).</source>
        <translation>Memoria: ida {0}, vuelta {1} (memoria del proceso, sin tarjeta gráfica).</translation>
    </message>
    <message>
        <source>Memory: forward {0}, backward {1} (what torch gave out{2}).</source>
        <translation>Memoria: ida {0}, vuelta {1} (lo que repartió torch{2}).</translation>
    </message>
    <message>
        <source>Memory: forward {0}, backward {1}, of {2} predicted (what torch gave out{3}).</source>
        <translation>Memoria: ida {0}, vuelta {1}, de {2} previstos (lo que repartió torch{3}).</translation>
    </message>
    <message>
        <source>Memory: the process held up to {0}, of {1} predicted (no graphics card).</source>
        <translation>Memoria: el proceso ocupó hasta {0}, de {1} previstos (sin tarjeta gráfica).</translation>
    </message>
    <message>
        <source>Mend it.</source>
        <translation>Corríjalo.</translation>
    </message>
    <message>
        <source>Mend or delete it, and add anew.</source>
        <translation>Corríjala o bórrela, y añada de nuevo.</translation>
    </message>
    <message>
        <source>Mend or replace the images named here.</source>
        <translation>Repare o sustituya las imágenes que aquí se nombran.</translation>
    </message>
    <message>
        <source>Mend what is named here, or choose a preset or the image itself as the reference.</source>
        <translation>Repare lo que aquí se nombra, o elija un ajuste predefinido o la propia imagen como referencia.</translation>
    </message>
    <message>
        <source>Missing, needed where Wayland is not used: {0}.</source>
        <translation>Faltan, y son necesarias donde no se usa Wayland: {0}.</translation>
    </message>
    <message>
        <source>Missing, so that the window may not open: {0}.</source>
        <translation>Faltan, y por ello puede que la ventana no se abra: {0}.</translation>
    </message>
    <message>
        <source>Models and training work, more slowly. A GPU of NVIDIA would be used.</source>
        <translation>Los modelos y el entrenamiento funcionan, más despacio. Se usaría una GPU de NVIDIA.</translation>
    </message>
    <message>
        <source>MomentumNet saves little here: it keeps 20 bytes for each value of a layer, and layers are short.</source>
        <translation>MomentumNet ahorra poco aquí: guarda 20 bytes por cada valor de una capa, y las capas son cortas.</translation>
    </message>
    <message>
        <source>More damaged images are made anew without being told each.</source>
        <translation>Se rehacen más imágenes dañadas sin indicar cada una.</translation>
    </message>
    <message>
        <source>More is shown inverted with it than with {0}: {1} of {2} signals, where {3} were.</source>
        <translation>Con él se ve invertido más que con {0}: {1} de {2} señales, y antes {3}.</translation>
    </message>
    <message>
        <source>More of them do not pay here.</source>
        <translation>Usar más no compensa aquí.</translation>
    </message>
    <message>
        <source>Most often that is want of memory.</source>
        <translation>Lo más frecuente es que falte memoria.</translation>
    </message>
    <message>
        <source>Move it out of the folder checkpoints of this run.</source>
        <translation>Sáquela de la carpeta checkpoints de este entrenamiento.</translation>
    </message>
    <message>
        <source>Moving the optimizer to the host saves twice the bytes of the weights, whatever the size of the images.</source>
        <translation>Trasladar el optimizador a la memoria del equipo ahorra el doble de los bytes de los pesos, sea cual sea el tamaño de las imágenes.</translation>
    </message>
    <message>
        <source>Name a file in a folder that is there.</source>
        <translation>Indique un archivo en una carpeta que exista.</translation>
    </message>
    <message>
        <source>Name a folder of your own; it need not exist.</source>
        <translation>Indique una carpeta propia; no hace falta que exista.</translation>
    </message>
    <message>
        <source>Name a folder.</source>
        <translation>Indique una carpeta.</translation>
    </message>
    <message>
        <source>Name a node, or local.</source>
        <translation>Nombre un nodo, o local.</translation>
    </message>
    <message>
        <source>Name all of them by --cards; a process runs on each.</source>
        <translation>Nómbrelas todas con --cards; en cada una trabaja un proceso.</translation>
    </message>
    <message>
        <source>Name another folder in {0}, or take that right away from the others.</source>
        <translation>Indique otra carpeta en {0} o quite ese permiso a los demás.</translation>
    </message>
    <message>
        <source>Name another folder; a new one inside the input folder will do.</source>
        <translation>Indique otra carpeta; sirve una nueva dentro de la carpeta de entrada.</translation>
    </message>
    <message>
        <source>Name each machine once.</source>
        <translation>Nombre cada equipo una sola vez.</translation>
    </message>
    <message>
        <source>Name each once.</source>
        <translation>Nombre cada uno una sola vez.</translation>
    </message>
    <message>
        <source>Name every part once.</source>
        <translation>Nombre cada parte una sola vez.</translation>
    </message>
    <message>
        <source>Name from 1 to {0} of them.</source>
        <translation>Nombre de 1 a {0}.</translation>
    </message>
    <message>
        <source>Name it .{0} if you want it enhanced as a picture.</source>
        <translation>Póngale la extensión .{0} si quiere que se realce como imagen.</translation>
    </message>
    <message>
        <source>Name its file as the first weights (--weights FILE).</source>
        <translation>Indique su archivo como pesos iniciales (--weights ARCHIVO).</translation>
    </message>
    <message>
        <source>Name one for each.</source>
        <translation>Indique una para cada uno.</translation>
    </message>
    <message>
        <source>Name several by --cards &quot;{0}&quot;.</source>
        <translation>Nombre varias con --cards &quot;{0}&quot;.</translation>
    </message>
    <message>
        <source>Name the card, or the CPU.</source>
        <translation>Indique la tarjeta, o la CPU.</translation>
    </message>
    <message>
        <source>Name the first weights that it was begun with (--weights FILE), or start a new one elsewhere.</source>
        <translation>Indique los pesos iniciales con los que se empezó (--weights FILE), o inicie uno nuevo en otra carpeta.</translation>
    </message>
    <message>
        <source>Name the folder of a run.</source>
        <translation>Indique la carpeta de un entrenamiento.</translation>
    </message>
    <message>
        <source>Name the folder of one of its members.</source>
        <translation>Indique la carpeta de uno de sus miembros.</translation>
    </message>
    <message>
        <source>Name the folder that holds the files whose names end in .whl.</source>
        <translation>Indique la carpeta que contiene los archivos cuyo nombre termina en .whl.</translation>
    </message>
    <message>
        <source>Name the folder that it leads to as an input of its own.</source>
        <translation>Indique como entrada propia la carpeta a la que lleva.</translation>
    </message>
    <message>
        <source>Name the one of these machines&apos; own network: fullfield node add … --interface NAME.</source>
        <translation>Nombre la de la red propia de estas máquinas: fullfield node add … --interface NAME.</translation>
    </message>
    <message>
        <source>Name {0} stages in the order of the network, and not its end, or none.</source>
        <translation>Nombre {0} etapas en el orden de la red, sin su final, o ninguna.</translation>
    </message>
    <message>
        <source>Nest layers alone.</source>
        <translation>Anide solo capas.</translation>
    </message>
    <message>
        <source>No 8-bit model could be made of the network ({0}); the model in 32 bits is whole.</source>
        <translation>No se ha podido crear un modelo de 8 bits de la red ({0}); el modelo en 32 bits está íntegro.</translation>
    </message>
    <message>
        <source>No 8-bit model was left: it was stopped while being measured. Go on with the training to get it.</source>
        <translation>No ha quedado ningún modelo de 8 bits: se detuvo mientras se medía. Continúe el entrenamiento para obtenerlo.</translation>
    </message>
    <message>
        <source>No NVIDIA card with a driver was found.</source>
        <translation>No se encontró ninguna tarjeta NVIDIA con controlador.</translation>
    </message>
    <message>
        <source>No answer for {0} seconds from {1}.</source>
        <translation>Sin respuesta durante {0} segundos de {1}.</translation>
    </message>
    <message>
        <source>No less is seen with it than with {0}: the median d′ of {1} signals is {2} times as high.</source>
        <translation>Con él no se ve menos que con {0}: la mediana de d′ de {1} señales es {2} veces la de antes.</translation>
    </message>
    <message>
        <source>No new privileges, no network (seccomp), writes only to its cache (Landlock, version {0}).</source>
        <translation>Sin privilegios nuevos, sin red (seccomp), escribe solo en su caché (Landlock, versión {0}).</translation>
    </message>
    <message>
        <source>No pairs were found.</source>
        <translation>No se han encontrado pares.</translation>
    </message>
    <message>
        <source>No plan fits this budget.</source>
        <translation>Ningún plan cabe en este límite de memoria.</translation>
    </message>
    <message>
        <source>No plan for {0} of them fits.</source>
        <translation>Ningún plan para {0} de ellas cabe.</translation>
    </message>
    <message>
        <source>No plan is possible here.</source>
        <translation>Aquí no es posible ningún plan.</translation>
    </message>
    <message>
        <source>No preset is meant for it.</source>
        <translation>Ningún ajuste predefinido está pensado para ella.</translation>
    </message>
    <message>
        <source>No trained model ships with this installation of Fullfield.</source>
        <translation>Esta instalación de Fullfield no trae ningún modelo entrenado.</translation>
    </message>
    <message>
        <source>None is known yet.</source>
        <translation>Aún no se conoce ninguno.</translation>
    </message>
    <message>
        <source>None is needed: this light installation enhances with presets, which compute on the CPU.</source>
        <translation>No hace falta ninguno: esta instalación ligera mejora con ajustes predefinidos, que calculan en la CPU.</translation>
    </message>
    <message>
        <source>None of the files that it lists is there.</source>
        <translation>No está ninguno de los archivos que nombra.</translation>
    </message>
    <message>
        <source>None of {0} pairs can be used. {1}</source>
        <translation>No se puede usar ninguno de los {0} pares. {1}</translation>
    </message>
    <message>
        <source>None was found.</source>
        <translation>No se ha encontrado ninguno.</translation>
    </message>
    <message>
        <source>None: this is the engine for servers, which enhances by fullfield --batch.</source>
        <translation>Ninguna: este es el motor para servidores, que mejora con fullfield --batch.</translation>
    </message>
    <message>
        <source>Not even a tile of {0} pixels a side fits into the memory that is free.</source>
        <translation>Ni siquiera una tesela de {0} píxeles de lado cabe en la memoria libre.</translation>
    </message>
    <message>
        <source>Not installed: a light installation, which enhances with presets. Models and training need it.</source>
        <translation>No está instalada: es una instalación ligera, que mejora con ajustes predefinidos. Los modelos y el entrenamiento la necesitan.</translation>
    </message>
    <message>
        <source>Not training with the others yet: {0}. {1} It is tried again.</source>
        <translation>Aún no entrena con los demás: {0}. {1} Se vuelve a intentar.</translation>
    </message>
    <message>
        <source>Nothing else was used for this body part.</source>
        <translation>No se ha usado otra cosa para esta región anatómica.</translation>
    </message>
    <message>
        <source>Nothing is left to compile: other techniques run every part of the network.</source>
        <translation>No queda nada que compilar: otras técnicas ejecutan todas las partes de la red.</translation>
    </message>
    <message>
        <source>Nothing listens there: its ssh server is off.</source>
        <translation>Allí no escucha nadie: su servidor ssh está apagado.</translation>
    </message>
    <message>
        <source>Nothing of them is kept.</source>
        <translation>No se conserva nada de ellos.</translation>
    </message>
    <message>
        <source>Nothing of them is kept. Check the connection and the proxy (HTTPS_PROXY) and try again; or give torchvision&apos;s file of this encoder as the first weights.</source>
        <translation>No se conserva nada de ellos. Compruebe la conexión y el proxy (HTTPS_PROXY) e inténtelo de nuevo, o indique como pesos iniciales el archivo de torchvision de este codificador.</translation>
    </message>
    <message>
        <source>Of member {0}: {1}</source>
        <translation>Del miembro {0}: {1}</translation>
    </message>
    <message>
        <source>Of {0} no network interface is named on which it may do that.</source>
        <translation>De {0} no se ha nombrado ninguna interfaz de red en la que pueda hacerlo.</translation>
    </message>
    <message>
        <source>On Windows, install Microsoft&apos;s Visual C++ runtime, and try again; or choose the other build, for the CPU or for a card.</source>
        <translation>En Windows, instale el entorno de ejecución de Visual C++ de Microsoft y vuelva a intentarlo; o elija la otra variante, para la CPU o para una tarjeta.</translation>
    </message>
    <message>
        <source>On the CPU: {0}</source>
        <translation>En la CPU: {0}</translation>
    </message>
    <message>
        <source>On the node {0}: {1}</source>
        <translation>En el nodo {0}: {1}</translation>
    </message>
    <message>
        <source>On {0} there is a card, on {1} there is none.</source>
        <translation>En {0} hay una tarjeta; en {1} no hay ninguna.</translation>
    </message>
    <message>
        <source>One is named twice.</source>
        <translation>Uno se nombra dos veces.</translation>
    </message>
    <message>
        <source>One of its checkpoints cannot be read now.</source>
        <translation>Uno de sus puntos de control no se puede leer ahora.</translation>
    </message>
    <message>
        <source>One of its processes of the last time has not ended yet.</source>
        <translation>Uno de sus procesos de la vez anterior todavía no ha terminado.</translation>
    </message>
    <message>
        <source>One path per line.</source>
        <translation>Una ruta por línea.</translation>
    </message>
    <message>
        <source>One process goes on, without what several shared their work by: {0}.</source>
        <translation>Continúa un solo proceso, sin aquello con lo que varios se repartían el trabajo: {0}.</translation>
    </message>
    <message>
        <source>One process on one device alone is planned for, and nothing connects it.</source>
        <translation>Se planifica un solo proceso en un solo dispositivo, y nada lo conecta.</translation>
    </message>
    <message>
        <source>One process trains there, on one card.</source>
        <translation>Allí entrena un solo proceso, en una tarjeta.</translation>
    </message>
    <message>
        <source>Only {0} patients can be kept apart, and {1} are needed to judge the model: it will be trained, but not offered for use. Add images of other patients.</source>
        <translation>Solo se pueden apartar {0} pacientes, y hacen falta {1} para juzgar el modelo: se entrenará, pero no se ofrecerá para su uso. Añada imágenes de otros pacientes.</translation>
    </message>
    <message>
        <source>Open it again.</source>
        <translation>Ábrala de nuevo.</translation>
    </message>
    <message>
        <source>Open them.</source>
        <translation>Ábralas.</translation>
    </message>
    <message>
        <source>Or let them share each image: --techniques {0}; fullfield train --fit auto finds that too.</source>
        <translation>O deje que compartan cada imagen: --techniques {0}; fullfield train --fit auto también lo encuentra.</translation>
    </message>
    <message>
        <source>Over {0} there is no way to {1}: {2}.</source>
        <translation>Por {0} no se llega a {1}: {2}.</translation>
    </message>
    <message>
        <source>Parts are named, and by={0} chooses others.</source>
        <translation>Se nombran partes y by={0} elige otras.</translation>
    </message>
    <message>
        <source>Pixels of your images would go to {0}, and nobody has allowed that.</source>
        <translation>Los píxeles de sus imágenes irían a {0}, y nadie lo ha permitido.</translation>
    </message>
    <message>
        <source>Prepare them again.</source>
        <translation>Prepárelos de nuevo.</translation>
    </message>
    <message>
        <source>Preparing an environment for the training part</source>
        <translation>Preparando un entorno para el componente de entrenamiento</translation>
    </message>
    <message>
        <source>Presets are chosen by the headers of images, which stay on this computer.</source>
        <translation>Los preajustes se eligen por las cabeceras de las imágenes, que se quedan en este equipo.</translation>
    </message>
    <message>
        <source>Presets are chosen by the headers of images, which these no longer have.</source>
        <translation>Los ajustes predefinidos se eligen por las cabeceras de las imágenes, que estos ya no tienen.</translation>
    </message>
    <message>
        <source>Presets compute on the CPU; models and trainings use a GPU where there is one.</source>
        <translation>Los ajustes predefinidos calculan en la CPU; los modelos y entrenamientos usan una GPU si la hay.</translation>
    </message>
    <message>
        <source>Process {0} held up to {1}, of {2} predicted.</source>
        <translation>El proceso {0} ocupó hasta {1}, de {2} previstos.</translation>
    </message>
    <message>
        <source>Process {0} held up to {1}.</source>
        <translation>El proceso {0} ocupó hasta {1}.</translation>
    </message>
    <message>
        <source>Process {0} of {1} ended without a word: it was killed, or a library crashed.</source>
        <translation>El proceso {0} de {1} terminó sin avisar: alguien lo mató, o falló una biblioteca.</translation>
    </message>
    <message>
        <source>Process {0} of {1} has given no sign of life for {2} seconds.</source>
        <translation>El proceso {0} de {1} no ha dado señales de vida durante {2} segundos.</translation>
    </message>
    <message>
        <source>Put them back as they were, presets and reviews too, or train a new ensemble in another folder.</source>
        <translation>Déjelas como estaban, también los ajustes predefinidos y las revisiones, o entrene un conjunto nuevo en otra carpeta.</translation>
    </message>
    <message>
        <source>Put your public key there (ssh-copy-id {0}), or load it into your ssh agent.</source>
        <translation>Ponga allí su clave pública (ssh-copy-id {0}), o cárguela en su agente de ssh.</translation>
    </message>
    <message>
        <source>PySide6 is not installed: no window can open.</source>
        <translation>PySide6 no está instalado: no se puede abrir ninguna ventana.</translation>
    </message>
    <message>
        <source>PySide6 {0} is known to be broken.</source>
        <translation>Se sabe que PySide6 {0} es defectuoso.</translation>
    </message>
    <message>
        <source>PySide6 {0}.</source>
        <translation>PySide6 {0}.</translation>
    </message>
    <message>
        <source>PyTorch for Windows has no way for them to talk (gloo).</source>
        <translation>PyTorch para Windows no tiene cómo comunicarlos (gloo).</translation>
    </message>
    <message>
        <source>PyTorch or the engine cannot be loaded in its environment.</source>
        <translation>PyTorch o el motor no se pueden cargar en su entorno.</translation>
    </message>
    <message>
        <source>PyTorch&apos;s own way takes devices of one kind, and these are a card and the CPU.</source>
        <translation>La forma propia de PyTorch admite dispositivos de un solo tipo, y estos son una tarjeta y la CPU.</translation>
    </message>
    <message>
        <source>Reading it was stopped: {0}.</source>
        <translation>Su lectura se interrumpió: {0}.</translation>
    </message>
    <message>
        <source>References reviewed by an expert: {0} of {1}; {2} approved, {3} adjusted, {4} rejected and left out, {5} not reviewed and used as they are.</source>
        <translation>Referencias revisadas por un experto: {0} de {1}; {2} aprobadas, {3} ajustadas, {4} rechazadas y excluidas, {5} sin revisar y usadas tal cual.</translation>
    </message>
    <message>
        <source>Remove it from the list, and open it again.</source>
        <translation>Quítela de la lista y ábrala de nuevo.</translation>
    </message>
    <message>
        <source>Repair it, or delete it and choose the models again.</source>
        <translation>Repárelo, o elimínelo y vuelva a elegir los modelos.</translation>
    </message>
    <message>
        <source>Research and image-quality tool. Not a medical device. Not for primary diagnosis. Always consult the original image.</source>
        <translation>Herramienta de investigación y de calidad de imagen. No es un producto sanitario. No apta para el diagnóstico primario. Consulte siempre la imagen original.</translation>
    </message>
    <message>
        <source>Restart the computer; check that the card sits well.</source>
        <translation>Reinicie el equipo; compruebe que la tarjeta esté bien colocada.</translation>
    </message>
    <message>
        <source>Run again: the original is then read anew.</source>
        <translation>Repita el proceso: el original se leerá de nuevo.</translation>
    </message>
    <message>
        <source>SLURM says: {0}</source>
        <translation>SLURM dice: {0}</translation>
    </message>
    <message>
        <source>Save it as CSV with the columns raw and reference.</source>
        <translation>Guárdelo como CSV con las columnas raw y reference.</translation>
    </message>
    <message>
        <source>Save it as grey without transparency.</source>
        <translation>Guárdelo en escala de grises sin transparencia.</translation>
    </message>
    <message>
        <source>Save it uncompressed.</source>
        <translation>Guárdelo sin comprimir.</translation>
    </message>
    <message>
        <source>Save it with 8 or 16 bits.</source>
        <translation>Guárdelo con 8 o 16 bits.</translation>
    </message>
    <message>
        <source>Save one of its pictures as PNG or TIFF.</source>
        <translation>Guarde una de sus imágenes como PNG o TIFF.</translation>
    </message>
    <message>
        <source>Say by=parts, or name none.</source>
        <translation>Indique by=parts o no nombre ninguna.</translation>
    </message>
    <message>
        <source>Say by={0}, or leave it out.</source>
        <translation>Indique by={0} o no lo nombre.</translation>
    </message>
    <message>
        <source>Seeded random weights for tests: nobody trained this model, and its pictures are of no use.</source>
        <translation>Pesos aleatorios de prueba: nadie ha entrenado este modelo, y sus imágenes no sirven para nada.</translation>
    </message>
    <message>
        <source>Set the environment variable LANG to a UTF-8 language, such as C.UTF-8.</source>
        <translation>Dé a la variable de entorno LANG un idioma en UTF-8, como C.UTF-8.</translation>
    </message>
    <message>
        <source>Small animals: thorax and abdomen</source>
        <translation>Animales pequeños: tórax y abdomen</translation>
    </message>
    <message>
        <source>Small animals: thorax and abdomen, raw input</source>
        <translation>Animales pequeños: tórax y abdomen, sin procesar</translation>
    </message>
    <message>
        <source>Some compute on a card, others on the CPU.</source>
        <translation>Unos calculan en una tarjeta y otros en la CPU.</translation>
    </message>
    <message>
        <source>Some have a card of their own, others share one.</source>
        <translation>Unos tienen una tarjeta propia y otros comparten una.</translation>
    </message>
    <message>
        <source>Somebody or the system killed it; most often because no memory was left.</source>
        <translation>Alguien o el sistema lo cerró a la fuerza; casi siempre porque no quedaba memoria.</translation>
    </message>
    <message>
        <source>Spine</source>
        <translation>Columna vertebral</translation>
    </message>
    <message>
        <source>Spine, raw input</source>
        <translation>Columna vertebral, sin procesar</translation>
    </message>
    <message>
        <source>Start again with a smaller learning rate.</source>
        <translation>Empiece de nuevo con una tasa de aprendizaje menor.</translation>
    </message>
    <message>
        <source>Start again.</source>
        <translation>Empiece de nuevo.</translation>
    </message>
    <message>
        <source>Start again: everything that was finished is kept.</source>
        <translation>Empiece de nuevo: todo lo terminado se conserva.</translation>
    </message>
    <message>
        <source>Start again: what is here is kept.</source>
        <translation>Empiece de nuevo: lo que hay aquí se conserva.</translation>
    </message>
    <message>
        <source>Start again; if it happens again, clear the prepared data of the computer that sends.</source>
        <translation>Empiece de nuevo; si vuelve a ocurrir, borre los datos preparados del ordenador que envía.</translation>
    </message>
    <message>
        <source>Start anew.</source>
        <translation>Vuelva a empezar.</translation>
    </message>
    <message>
        <source>Start it again in a new folder; a model that it has left can be given as its weights.</source>
        <translation>Empiécelo de nuevo en otra carpeta; un modelo que haya dejado puede servir como pesos iniciales.</translation>
    </message>
    <message>
        <source>Start it again.</source>
        <translation>Iníciela de nuevo.</translation>
    </message>
    <message>
        <source>Start it again: the images that are prepared are kept.</source>
        <translation>Inícielo de nuevo: las imágenes ya preparadas se conservan.</translation>
    </message>
    <message>
        <source>Start it again: what came home goes there again.</source>
        <translation>Iníciela de nuevo: lo que volvió va allí otra vez.</translation>
    </message>
    <message>
        <source>Start one.</source>
        <translation>Inicie uno.</translation>
    </message>
    <message>
        <source>Stop it first.</source>
        <translation>Deténgalo primero.</translation>
    </message>
    <message>
        <source>Synthetic phantom, no patient.</source>
        <translation>Fantoma sintético, sin paciente.</translation>
    </message>
    <message>
        <source>Synthetic phantom: {0}</source>
        <translation>Fantoma sintético: {0}</translation>
    </message>
    <message>
        <source>TF32 is a format of NVIDIA&apos;s cards, and this is a CPU.</source>
        <translation>TF32 es un formato de las tarjetas de NVIDIA, y esto es una CPU.</translation>
    </message>
    <message>
        <source>TOML has no {0}.</source>
        <translation>TOML no tiene {0}.</translation>
    </message>
    <message>
        <source>Take a residual network for the encoder.</source>
        <translation>Elija una red residual como codificador.</translation>
    </message>
    <message>
        <source>Take checkpointing or hybrid_bands.</source>
        <translation>Elija checkpointing o hybrid_bands.</translation>
    </message>
    <message>
        <source>Take models that were trained together as the members of an ensemble.</source>
        <translation>Tome modelos que se entrenaron juntos como miembros de un conjunto.</translation>
    </message>
    <message>
        <source>Take the plan that the prediction names, with checkpointing:by=parts.</source>
        <translation>Use el plan que nombra la predicción, con checkpointing:by=parts.</translation>
    </message>
    <message>
        <source>That folder holds an ensemble.</source>
        <translation>Esa carpeta contiene un conjunto.</translation>
    </message>
    <message>
        <source>That folder holds no training.</source>
        <translation>Esa carpeta no contiene ningún entrenamiento.</translation>
    </message>
    <message>
        <source>That is more than one card.</source>
        <translation>Eso es más de una tarjeta.</translation>
    </message>
    <message>
        <source>The 8-bit model (model-int8.pt2) stays there, and goes with the run: such a file can hold a program that runs when it is opened. To have it, train on this computer.</source>
        <translation>El modelo de 8 bits (model-int8.pt2) se queda allí y desaparece con la ejecución: un archivo así puede contener un programa que se ejecuta al abrirlo. Para tenerlo, entrene en este equipo.</translation>
    </message>
    <message>
        <source>The 8-bit model is left out.</source>
        <translation>Se omite el modelo de 8 bits.</translation>
    </message>
    <message>
        <source>The CPU goes beside a card in a training alone.</source>
        <translation>La CPU solo acompaña a una tarjeta en un entrenamiento.</translation>
    </message>
    <message>
        <source>The CPU is named once, and behind cards.</source>
        <translation>La CPU se indica una sola vez, detrás de las tarjetas.</translation>
    </message>
    <message>
        <source>The CPU was asked for.</source>
        <translation>Se pidió la CPU.</translation>
    </message>
    <message>
        <source>The Fullfield on the node {0} does not say what it has.</source>
        <translation>El Fullfield del nodo {0} no dice qué tiene.</translation>
    </message>
    <message>
        <source>The Fullfield on the node {0} does not understand what it is asked.</source>
        <translation>El Fullfield del nodo {0} no entiende lo que se le pide.</translation>
    </message>
    <message>
        <source>The GPU does not answer: it is in use exclusively, or needs a restart.</source>
        <translation>La GPU no responde: otro programa la usa en exclusiva, o necesita un reinicio.</translation>
    </message>
    <message>
        <source>The agent takes one argument: the folder of a run.</source>
        <translation>El agente toma un argumento: la carpeta de una ejecución.</translation>
    </message>
    <message>
        <source>The archive holds several files of this name, and they cannot be told apart.</source>
        <translation>El archivo comprimido contiene varios archivos con este nombre, y no se pueden distinguir.</translation>
    </message>
    <message>
        <source>The archive is damaged, or packed in a way that is not known here.</source>
        <translation>El archivo ZIP está dañado, o comprimido de un modo que aquí no se conoce.</translation>
    </message>
    <message>
        <source>The archive is no ordinary file.</source>
        <translation>El archivo ZIP no es un archivo normal.</translation>
    </message>
    <message>
        <source>The archive&apos;s table of contents is damaged.</source>
        <translation>El índice del archivo ZIP está dañado.</translation>
    </message>
    <message>
        <source>The attributes of its original can no longer be read from the cache: {0}.</source>
        <translation>Los atributos de su original ya no se pueden leer de la caché: {0}.</translation>
    </message>
    <message>
        <source>The average of the weights is one more copy of them, in 32 bits, whatever the size of the images.</source>
        <translation>El promedio de los pesos es una copia más de ellos, en 32 bits, sea cual sea el tamaño de las imágenes.</translation>
    </message>
    <message>
        <source>The blocks of {0} change the form of their images and cannot be run backwards.</source>
        <translation>Los bloques de {0} cambian la forma de sus imágenes y no pueden recorrerse hacia atrás.</translation>
    </message>
    <message>
        <source>The budget is a positive number.</source>
        <translation>El límite de memoria es un número positivo.</translation>
    </message>
    <message>
        <source>The budget, {0}, is more than {1} has: {2}.</source>
        <translation>El límite de memoria, {0}, supera lo que tiene {1}: {2}.</translation>
    </message>
    <message>
        <source>The card {0} is not known.</source>
        <translation>No se conoce la tarjeta {0}.</translation>
    </message>
    <message>
        <source>The checkpoint of step {0} is damaged or missing; the one before it is used.</source>
        <translation>El punto guardado del paso {0} está dañado o falta; se usa el anterior.</translation>
    </message>
    <message>
        <source>The cluster does not take the run.</source>
        <translation>El clúster no acepta la ejecución.</translation>
    </message>
    <message>
        <source>The cluster ends the run: its time there is over, or it was cancelled there. It stops, and keeps what is done.</source>
        <translation>El clúster termina la ejecución: su tiempo allí ha acabado, o se canceló allí. Se detiene y conserva lo hecho.</translation>
    </message>
    <message>
        <source>The cluster has ended the run.</source>
        <translation>El clúster ha terminado la ejecución.</translation>
    </message>
    <message>
        <source>The command that calls Fullfield there is empty, or has a quote that does not end.</source>
        <translation>La orden que llama allí a Fullfield está vacía, o tiene una comilla sin cerrar.</translation>
    </message>
    <message>
        <source>The compressed image has no end; fine detail may be missing.</source>
        <translation>La imagen comprimida no tiene final; puede faltar detalle fino.</translation>
    </message>
    <message>
        <source>The data set does not say its SOP class; the file&apos;s meta information does.</source>
        <translation>El conjunto de datos no dice su clase SOP; la metainformación del archivo, sí.</translation>
    </message>
    <message>
        <source>The data were not read to the end.</source>
        <translation>Los datos no se han leído hasta el final.</translation>
    </message>
    <message>
        <source>The data were prepared at size {0}.</source>
        <translation>Los datos se prepararon con el tamaño {0}.</translation>
    </message>
    <message>
        <source>The decoder stopped on this file: {0}.</source>
        <translation>El descodificador se detuvo en este archivo: {0}.</translation>
    </message>
    <message>
        <source>The encoder starts from ImageNet weights of the hub (colour channels summed), the decoder {0}.</source>
        <translation>El codificador parte de pesos de ImageNet descargados (canales de color sumados); el descodificador, {0}.</translation>
    </message>
    <message>
        <source>The encoder starts from the weights in the given file (colour channels summed), the decoder from scratch (random weights, seed {0}).</source>
        <translation>El codificador parte de los pesos del archivo indicado (canales de color sumados); el descodificador, de cero (pesos aleatorios, semilla {0}).</translation>
    </message>
    <message>
        <source>The fast loss of training and torch.compile can be compiled.</source>
        <translation>La pérdida rápida del entrenamiento y torch.compile se pueden compilar.</translation>
    </message>
    <message>
        <source>The file defaults.json in the folder of your models is damaged or cannot be read.</source>
        <translation>El archivo defaults.json de la carpeta de sus modelos está dañado o no se puede leer.</translation>
    </message>
    <message>
        <source>The file does not say its transfer syntax; it was told from its first element.</source>
        <translation>El archivo no indica su sintaxis de transferencia; se ha deducido de su primer elemento.</translation>
    </message>
    <message>
        <source>The file does not say that it is raw, and nearly all files are processed.</source>
        <translation>El archivo no dice que esté sin procesar, y casi todos los archivos están procesados.</translation>
    </message>
    <message>
        <source>The file has a look-up table for display: the image is processed already.</source>
        <translation>El archivo tiene una tabla de consulta para mostrar: la imagen ya está procesada.</translation>
    </message>
    <message>
        <source>The file has no {0}.</source>
        <translation>El archivo no tiene {0}.</translation>
    </message>
    <message>
        <source>The file has overlay graphics (marks or text beside the pixels): they are not shown, and a result has none.</source>
        <translation>El archivo tiene gráficos superpuestos (marcas o texto aparte de los píxeles): no se muestran, y un resultado no los tiene.</translation>
    </message>
    <message>
        <source>The file holds more pixels than its image has; those at the end were ignored.</source>
        <translation>El archivo contiene más píxeles de los que tiene su imagen; los del final se han ignorado.</translation>
    </message>
    <message>
        <source>The file is a result of Fullfield: it is changed little. Enhance its original instead.</source>
        <translation>El archivo es un resultado de Fullfield: se modifica poco. Mejore el original en su lugar.</translation>
    </message>
    <message>
        <source>The file is far too long.</source>
        <translation>El archivo es demasiado largo.</translation>
    </message>
    <message>
        <source>The file is not there: it was deleted, moved or renamed, or its drive is not connected.</source>
        <translation>El archivo no está: se ha borrado, movido o cambiado de nombre, o su unidad no está conectada.</translation>
    </message>
    <message>
        <source>The file is on this computer alone.</source>
        <translation>El archivo está solo en este ordenador.</translation>
    </message>
    <message>
        <source>The file names a character set that is not known here; letters with accents may be read wrongly.</source>
        <translation>El archivo indica un juego de caracteres que aquí no se conoce; las letras con acentos pueden leerse mal.</translation>
    </message>
    <message>
        <source>The file of first weights is another one than when the first member was to begin from it.</source>
        <translation>El archivo de pesos iniciales ya no es el mismo que cuando el primer miembro iba a partir de él.</translation>
    </message>
    <message>
        <source>The file of member {0} is gone.</source>
        <translation>El archivo del miembro {0} ya no está.</translation>
    </message>
    <message>
        <source>The file of member {0} was changed while it was read.</source>
        <translation>El archivo del miembro {0} cambió mientras se leía.</translation>
    </message>
    <message>
        <source>The file of your settings cannot be read, and what it says would be lost.</source>
        <translation>No se puede leer el archivo de sus ajustes, y se perdería lo que contiene.</translation>
    </message>
    <message>
        <source>The file reviews.json in your folder of Fullfield&apos;s data is damaged, or of a newer version.</source>
        <translation>El archivo reviews.json de su carpeta de datos de Fullfield está dañado o es de una versión más nueva.</translation>
    </message>
    <message>
        <source>The file says that it holds 0 images; the one that it holds was read.</source>
        <translation>El archivo dice contener 0 imágenes; se ha leído la que contiene.</translation>
    </message>
    <message>
        <source>The file says that it is for presentation.</source>
        <translation>El archivo dice que es para presentación.</translation>
    </message>
    <message>
        <source>The file says that it is for processing.</source>
        <translation>El archivo dice que es para procesar.</translation>
    </message>
    <message>
        <source>The file says that its types are implicit, and they are not.</source>
        <translation>El archivo dice que sus tipos son implícitos, y no lo son.</translation>
    </message>
    <message>
        <source>The file says that its values are linear to exposure, and its histogram agrees.</source>
        <translation>El archivo dice que sus valores son lineales con la exposición, y su histograma concuerda.</translation>
    </message>
    <message>
        <source>The file that is named as its first weights is another one than that which it began with. Name that one, and go on with the training.</source>
        <translation>El archivo indicado como sus primeros pesos no es aquel con el que comenzó. Indique ese archivo y continúe el entrenamiento.</translation>
    </message>
    <message>
        <source>The file&apos;s High Bit contradicts its Bits Stored; the lowest bits were read.</source>
        <translation>El High Bit del archivo contradice su Bits Stored; se han leído los bits más bajos.</translation>
    </message>
    <message>
        <source>The file&apos;s High Bit contradicts its pixels; the lowest bits were read.</source>
        <translation>El High Bit del archivo contradice sus píxeles; se han leído los bits más bajos.</translation>
    </message>
    <message>
        <source>The file&apos;s Rescale Slope is 0; its stored values were read as they are.</source>
        <translation>El Rescale Slope del archivo es 0; sus valores se han leído tal como están guardados.</translation>
    </message>
    <message>
        <source>The file&apos;s class is one for processing.</source>
        <translation>La clase del archivo es una de imágenes para procesar.</translation>
    </message>
    <message>
        <source>The file&apos;s look-up table shows high values dark; the image is taken as it is then shown.</source>
        <translation>La tabla de consulta del archivo muestra oscuros los valores altos; la imagen se toma tal como se muestra así.</translation>
    </message>
    <message>
        <source>The file&apos;s padding cannot be told from its image behind its look-up table; it is taken for image.</source>
        <translation>El relleno del archivo no se distingue de su imagen detrás de su tabla de consulta; se toma por imagen.</translation>
    </message>
    <message>
        <source>The file&apos;s pixel spacing makes no sense; it was left aside.</source>
        <translation>El espaciado de píxeles del archivo no tiene sentido; se ha dejado de lado.</translation>
    </message>
    <message>
        <source>The first process of this run has ended.</source>
        <translation>El primer proceso de esta ejecución ha terminado.</translation>
    </message>
    <message>
        <source>The frame header of its JPEG pixels is cut short.</source>
        <translation>La cabecera de sus píxeles JPEG está incompleta.</translation>
    </message>
    <message>
        <source>The header of its RLE pixels is cut short.</source>
        <translation>La cabecera de sus píxeles RLE está incompleta.</translation>
    </message>
    <message>
        <source>The header of its WebP picture makes no sense.</source>
        <translation>La cabecera de su imagen WebP no tiene sentido.</translation>
    </message>
    <message>
        <source>The image has no contrast at all; nothing was enhanced.</source>
        <translation>La imagen no tiene ningún contraste; no se ha realzado nada.</translation>
    </message>
    <message>
        <source>The image is not part of the data any more.</source>
        <translation>La imagen ya no forma parte de los datos.</translation>
    </message>
    <message>
        <source>The images have not all arrived.</source>
        <translation>No han llegado todas las imágenes.</translation>
    </message>
    <message>
        <source>The images, or what is learned from them, are not those of the members before it any more.</source>
        <translation>Las imágenes, o lo que se aprende de ellas, ya no son las de los miembros anteriores.</translation>
    </message>
    <message>
        <source>The installation is incomplete.</source>
        <translation>La instalación está incompleta.</translation>
    </message>
    <message>
        <source>The last process of this training ended without a word before it had saved anything.</source>
        <translation>El último proceso de este entrenamiento terminó sin decir nada antes de haber guardado algo.</translation>
    </message>
    <message>
        <source>The learning rate was chosen for batches of this size: there is nothing to scale.</source>
        <translation>La tasa de aprendizaje se eligió para lotes de este tamaño: no hay nada que escalar.</translation>
    </message>
    <message>
        <source>The line to the node {0} is back.</source>
        <translation>La conexión con el nodo {0} ha vuelto.</translation>
    </message>
    <message>
        <source>The line to the node {0} is cut.</source>
        <translation>La conexión con el nodo {0} está cortada.</translation>
    </message>
    <message>
        <source>The link is the limit: without {0} a rank waits {1} of a step.</source>
        <translation>La conexión es el límite: sin {0} un proceso espera el {1} de un paso.</translation>
    </message>
    <message>
        <source>The list of checkpoints is damaged; its copy is used.</source>
        <translation>La lista de puntos guardados está dañada; se usa su copia.</translation>
    </message>
    <message>
        <source>The list of its checkpoints and its copy are damaged.</source>
        <translation>La lista de sus puntos guardados y la copia de esta están dañadas.</translation>
    </message>
    <message>
        <source>The list of its checkpoints is gone, and the checkpoints are still there.</source>
        <translation>Falta la lista de sus puntos guardados, aunque estos siguen ahí.</translation>
    </message>
    <message>
        <source>The map network computes on the CPU, in little memory at any size.</source>
        <translation>La red de mapas calcula en la CPU, con poca memoria a cualquier tamaño.</translation>
    </message>
    <message>
        <source>The map network has half a million weights, of which any optimizer remembers little.</source>
        <translation>La red de mapas tiene medio millón de pesos, de los que cualquier optimizador guarda poco.</translation>
    </message>
    <message>
        <source>The map network has none of the blocks that this replaces.</source>
        <translation>La red de mapas no tiene ninguno de los bloques que esto sustituye.</translation>
    </message>
    <message>
        <source>The map network learns in minutes on one device, which holds all of it.</source>
        <translation>La red de mapas aprende en minutos en un solo dispositivo, en el que cabe entera.</translation>
    </message>
    <message>
        <source>The map network sees at most 320 pixels a side, so there is next to nothing to save.</source>
        <translation>La red de mapas ve como mucho 320 píxeles por lado, así que no hay casi nada que ahorrar.</translation>
    </message>
    <message>
        <source>The map network&apos;s own computing is a small share of a step.</source>
        <translation>El cálculo propio de la red de mapas es una parte pequeña de un paso.</translation>
    </message>
    <message>
        <source>The model could not be held against others, and is not offered: {0}</source>
        <translation>El modelo no se pudo comparar con otros y no se ofrece: {0}</translation>
    </message>
    <message>
        <source>The model is of the {0} members of {1} that are complete.</source>
        <translation>El modelo es de los {0} miembros de {1} que están completos.</translation>
    </message>
    <message>
        <source>The model of epoch {0}, the best one, is damaged; the last one is given instead.</source>
        <translation>El modelo de la época {0}, la mejor, está dañado; en su lugar se da el último.</translation>
    </message>
    <message>
        <source>The model of member {0} is not the one that its training has left.</source>
        <translation>El modelo del miembro {0} no es el que dejó su entrenamiento.</translation>
    </message>
    <message>
        <source>The model that it began from decides which patients are kept apart, and its path is not kept.</source>
        <translation>El modelo del que partió decide qué pacientes se apartan, y su ruta no se guarda.</translation>
    </message>
    <message>
        <source>The model was not held against others: it was stopped. Go on with the training to do that.</source>
        <translation>El modelo no se comparó con otros: se detuvo. Continúe el entrenamiento para hacerlo.</translation>
    </message>
    <message>
        <source>The model was not trained on mammograms.</source>
        <translation>El modelo no está entrenado con mamografías.</translation>
    </message>
    <message>
        <source>The model {0} does not say at which scale it was trained: compare with a preset.</source>
        <translation>El modelo {0} no indica a qué escala se entrenó: compárelo con un ajuste predefinido.</translation>
    </message>
    <message>
        <source>The model {0} has seeded random weights for tests: nobody trained it, and this picture is of no use.</source>
        <translation>El modelo {0} tiene pesos aleatorios de prueba: nadie lo ha entrenado, y esta imagen no sirve para nada.</translation>
    </message>
    <message>
        <source>The name has a sign that cannot be shown.</source>
        <translation>El nombre tiene un signo que no se puede mostrar.</translation>
    </message>
    <message>
        <source>The name has no letter in it.</source>
        <translation>El nombre no contiene ninguna letra.</translation>
    </message>
    <message>
        <source>The nearest is {0}.</source>
        <translation>El más parecido es {0}.</translation>
    </message>
    <message>
        <source>The nearest that works is {0}.</source>
        <translation>El más cercano que sirve es {0}.</translation>
    </message>
    <message>
        <source>The network starts from the weights of a model.</source>
        <translation>La red parte de los pesos de un modelo.</translation>
    </message>
    <message>
        <source>The network starts from the weights of the model {0}.</source>
        <translation>La red parte de los pesos del modelo {0}.</translation>
    </message>
    <message>
        <source>The new model is not offered for use.</source>
        <translation>El modelo nuevo no se ofrece para su uso.</translation>
    </message>
    <message>
        <source>The new model is offered for use, judged by {0} patients on whom nobody learned.</source>
        <translation>El modelo nuevo se ofrece para su uso, juzgado con {0} pacientes de los que no se aprendió nada.</translation>
    </message>
    <message>
        <source>The node that did this run was started anew.</source>
        <translation>El nodo que hacía esta ejecución se inició de nuevo.</translation>
    </message>
    <message>
        <source>The node that leads it does not answer any more.</source>
        <translation>El nodo que lo dirige ya no responde.</translation>
    </message>
    <message>
        <source>The node {0} does not answer.</source>
        <translation>El nodo {0} no responde.</translation>
    </message>
    <message>
        <source>The node {0} sends a file that is none of a run&apos;s.</source>
        <translation>El nodo {0} envía un archivo que no es de una ejecución.</translation>
    </message>
    <message>
        <source>The node {0} tells what cannot be understood.</source>
        <translation>El nodo {0} dice lo que no se puede entender.</translation>
    </message>
    <message>
        <source>The one of this installation is another file than that of the computer that asks.</source>
        <translation>El de esta instalación es otro archivo que el del ordenador que lo pide.</translation>
    </message>
    <message>
        <source>The optimizer inside backward saves the gradients of weights: at most as many bytes as the weights have.</source>
        <translation>Actualizar durante la vuelta ahorra los gradientes de los pesos: como máximo, tantos bytes como tienen los pesos.</translation>
    </message>
    <message>
        <source>The original has no valid SOP Instance UID (0008,0018): what is made from it cannot name it as its source image.</source>
        <translation>El original no tiene un SOP Instance UID (0008,0018) válido: lo que se obtenga de él no puede nombrarlo como imagen de origen.</translation>
    </message>
    <message>
        <source>The patient&apos;s name, ID or accession number breaks DICOM&apos;s rules; what can be kept of it is kept, and what could be another patient&apos;s or order&apos;s is not.</source>
        <translation>El nombre, el identificador o el número de acceso del paciente incumple las reglas de DICOM; se conserva de él lo que se puede, y no lo que podría ser de otro paciente o de otra petición.</translation>
    </message>
    <message>
        <source>The picture holds faint colour, as a lossy compression leaves it in a grey one; only its brightness was read.</source>
        <translation>La imagen contiene un color tenue, como el que una compresión con pérdida deja en una imagen gris; solo se leyó su luminosidad.</translation>
    </message>
    <message>
        <source>The picture is the first {0} rows; the strip below says what it is not for.</source>
        <translation>La imagen son las primeras {0} filas; la franja inferior dice para qué no es apta.</translation>
    </message>
    <message>
        <source>The picture says how it is to be turned (its orientation); it was turned as viewers show it.</source>
        <translation>La imagen indica cómo hay que girarla (su orientación); se giró tal como la muestran los visores.</translation>
    </message>
    <message>
        <source>The plan of this training (plan.json) is damaged: it may go on by other techniques than before.</source>
        <translation>El plan de este entrenamiento (plan.json) está dañado: puede continuar con otras técnicas que antes.</translation>
    </message>
    <message>
        <source>The preset is made for {0} images alone.</source>
        <translation>El ajuste está hecho solo para imágenes {0}.</translation>
    </message>
    <message>
        <source>The preset {0} has taken the place of the model {1}: {2}.</source>
        <translation>El ajuste {0} ha ocupado el lugar del modelo {1}: {2}.</translation>
    </message>
    <message>
        <source>The process that reads files did not come up.</source>
        <translation>El proceso que lee los archivos no se ha iniciado.</translation>
    </message>
    <message>
        <source>The radiograph of this epoch is not kept: {0}</source>
        <translation>La radiografía de esta época no se guarda: {0}</translation>
    </message>
    <message>
        <source>The raw image does not say how its values relate to the beam; linear was assumed.</source>
        <translation>La imagen sin procesar no dice cómo se relacionan sus valores con el haz; se ha supuesto que de forma lineal.</translation>
    </message>
    <message>
        <source>The run ended by an error that we did not foresee.</source>
        <translation>El proceso ha terminado por un error que no habíamos previsto.</translation>
    </message>
    <message>
        <source>The run is not here any more.</source>
        <translation>La ejecución ya no está aquí.</translation>
    </message>
    <message>
        <source>The run needed more memory than this machine has.</source>
        <translation>El proceso necesitaba más memoria de la que tiene este equipo.</translation>
    </message>
    <message>
        <source>The run was stopped before it began on the node.</source>
        <translation>La ejecución se detuvo antes de empezar en el nodo.</translation>
    </message>
    <message>
        <source>The run was stopped while it waited in the queue of the cluster.</source>
        <translation>La ejecución se detuvo mientras esperaba en la cola del clúster.</translation>
    </message>
    <message>
        <source>The segments of its RLE pixels lie outside the image.</source>
        <translation>Los segmentos de sus píxeles RLE quedan fuera de la imagen.</translation>
    </message>
    <message>
        <source>The shorter side must have {0}.</source>
        <translation>El lado menor debe tener {0}.</translation>
    </message>
    <message>
        <source>The size in its JPEG 2000 header makes no sense.</source>
        <translation>El tamaño que indica su cabecera JPEG 2000 no tiene sentido.</translation>
    </message>
    <message>
        <source>The sizes in its WebP header contradict each other.</source>
        <translation>Los tamaños en su cabecera WebP se contradicen.</translation>
    </message>
    <message>
        <source>The source&apos;s VOI LUT is not monotonic; it was not used.</source>
        <translation>La VOI LUT del original no es monótona; no se ha usado.</translation>
    </message>
    <message>
        <source>The system ended it, for no memory was left. Close other programs, or choose smaller images.</source>
        <translation>El sistema lo cerró porque no quedaba memoria. Cierre otros programas, o elija imágenes menores.</translation>
    </message>
    <message>
        <source>The system says: {0}.</source>
        <translation>El sistema dice: {0}.</translation>
    </message>
    <message>
        <source>The table of its compressed images points outside them.</source>
        <translation>La tabla de sus imágenes comprimidas señala fuera de ellas.</translation>
    </message>
    <message>
        <source>The training cannot go on.</source>
        <translation>El entrenamiento no puede continuar.</translation>
    </message>
    <message>
        <source>The training goes on with {0}.</source>
        <translation>El entrenamiento continúa con {0}.</translation>
    </message>
    <message>
        <source>The training has diverged: {0} tensors hold values that are not finite.</source>
        <translation>El entrenamiento ha divergido: {0} tensores contienen valores que no son finitos.</translation>
    </message>
    <message>
        <source>The training ran out of memory.</source>
        <translation>El entrenamiento se ha quedado sin memoria.</translation>
    </message>
    <message>
        <source>The training was stopped before its first step.</source>
        <translation>El entrenamiento se detuvo antes de su primer paso.</translation>
    </message>
    <message>
        <source>The training was stopped before its next step.</source>
        <translation>El entrenamiento se detuvo antes de su siguiente paso.</translation>
    </message>
    <message>
        <source>The training was stopped.</source>
        <translation>El entrenamiento se ha detenido.</translation>
    </message>
    <message>
        <source>The transfer syntax that it names is not known.</source>
        <translation>La sintaxis de transferencia que indica no se conoce.</translation>
    </message>
    <message>
        <source>The user says so.</source>
        <translation>Lo indica el usuario.</translation>
    </message>
    <message>
        <source>The worker takes one argument: the folder of a run.</source>
        <translation>El proceso de trabajo admite un solo argumento: la carpeta de un entrenamiento.</translation>
    </message>
    <message>
        <source>The worker that did this run ended unexpectedly.</source>
        <translation>El proceso que realizaba este trabajo terminó de forma inesperada.</translation>
    </message>
    <message>
        <source>The {0} of image {1} is missing.</source>
        <translation>Falta {0} de la imagen {1}.</translation>
    </message>
    <message>
        <source>The {0} of image {1} is not what the list says.</source>
        <translation>{0} de la imagen {1} no es lo que dice la lista.</translation>
    </message>
    <message>
        <source>There are fewer images in a batch ({0}) than processes.</source>
        <translation>Hay menos imágenes por lote ({0}) que procesos.</translation>
    </message>
    <message>
        <source>There are more groups of processes ({0}) than images in a batch.</source>
        <translation>Hay más grupos de procesos ({0}) que imágenes en un lote.</translation>
    </message>
    <message>
        <source>There are {0} images of {1} patients.</source>
        <translation>Hay {0} imágenes de {1} pacientes.</translation>
    </message>
    <message>
        <source>There are {0} patients, and {1} of them are new to the first weights.</source>
        <translation>Hay {0} pacientes, y {1} de ellos son nuevos para los pesos iniciales.</translation>
    </message>
    <message>
        <source>There is no Fullfield on the node {0}.</source>
        <translation>No hay Fullfield en el nodo {0}.</translation>
    </message>
    <message>
        <source>There is no line to it. The run may go on there.</source>
        <translation>No hay conexión con él. Puede que la ejecución siga allí.</translation>
    </message>
    <message>
        <source>There is no machine of this name on the network.</source>
        <translation>No hay ninguna máquina de este nombre en la red.</translation>
    </message>
    <message>
        <source>There is no network interface {0} with an IPv4 address; there are {1}.</source>
        <translation>No hay ninguna interfaz de red {0} con una dirección IPv4; hay {1}.</translation>
    </message>
    <message>
        <source>There is no node {0}.</source>
        <translation>No hay ningún nodo {0}.</translation>
    </message>
    <message>
        <source>There is no preset {0}.</source>
        <translation>No existe el ajuste predefinido {0}.</translation>
    </message>
    <message>
        <source>There is no screen here (neither DISPLAY nor WAYLAND_DISPLAY is set).</source>
        <translation>Aquí no hay pantalla (no están definidas DISPLAY ni WAYLAND_DISPLAY).</translation>
    </message>
    <message>
        <source>There is no such file or folder.</source>
        <translation>No existe tal archivo o carpeta.</translation>
    </message>
    <message>
        <source>There is no such file, and no model of this name in the models folder.</source>
        <translation>No existe tal archivo, ni un modelo con ese nombre en la carpeta de modelos.</translation>
    </message>
    <message>
        <source>There is no such folder to write it into.</source>
        <translation>No existe la carpeta en la que se escribiría.</translation>
    </message>
    <message>
        <source>There is no such folder.</source>
        <translation>No existe tal carpeta.</translation>
    </message>
    <message>
        <source>There is no technique {0}.</source>
        <translation>No existe la técnica {0}.</translation>
    </message>
    <message>
        <source>There is one{0}.</source>
        <translation>La hay{0}.</translation>
    </message>
    <message>
        <source>There was no model to begin from, so that it was held against presets alone.</source>
        <translation>No había un modelo del que partir, así que solo se comparó con los ajustes predefinidos.</translation>
    </message>
    <message>
        <source>These nodes cannot train together.</source>
        <translation>Estos nodos no pueden entrenar juntos.</translation>
    </message>
    <message>
        <source>These techniques are impossible here.</source>
        <translation>Estas técnicas no son posibles aquí.</translation>
    </message>
    <message>
        <source>These techniques do not go together.</source>
        <translation>Estas técnicas no se pueden combinar.</translation>
    </message>
    <message>
        <source>They are larger together than any model of this program ({0} GiB).</source>
        <translation>Juntos son más grandes que cualquier modelo de este programa ({0} GiB).</translation>
    </message>
    <message>
        <source>They are those that the preset {0} is meant for.</source>
        <translation>Son las imágenes para las que está pensado el ajuste predefinido {0}.</translation>
    </message>
    <message>
        <source>They hold no pair.</source>
        <translation>No contienen ningún par.</translation>
    </message>
    <message>
        <source>They were prepared for another kind of network, whose input is normalised otherwise.</source>
        <translation>Se prepararon para otro tipo de red, cuya entrada se normaliza de otro modo.</translation>
    </message>
    <message>
        <source>This CPU has no {0} units: a training would take several times as long as in fp32.</source>
        <translation>Esta CPU no tiene unidades {0}: un entrenamiento tardaría varias veces lo que en fp32.</translation>
    </message>
    <message>
        <source>This card has no {0} units.</source>
        <translation>Esta tarjeta no tiene unidades {0}.</translation>
    </message>
    <message>
        <source>This command is for ssh.</source>
        <translation>Esta orden es para ssh.</translation>
    </message>
    <message>
        <source>This computer cannot be one of them. {0}</source>
        <translation>Este equipo no puede ser uno de ellos. {0}</translation>
    </message>
    <message>
        <source>This computer does not know its host key yet.</source>
        <translation>Este ordenador aún no conoce su clave de máquina.</translation>
    </message>
    <message>
        <source>This computer has no command ssh.</source>
        <translation>Este ordenador no tiene la orden ssh.</translation>
    </message>
    <message>
        <source>This computer has no network to it.</source>
        <translation>Este ordenador no tiene red hasta él.</translation>
    </message>
    <message>
        <source>This is a fault of the program or of the model, not of the image: please report it.</source>
        <translation>Es un fallo del programa o del modelo, no de la imagen: comuníquelo, por favor.</translation>
    </message>
    <message>
        <source>This is a light installation, which enhances with presets. Not installed: {0}.</source>
        <translation>Esta es una instalación ligera, que mejora con ajustes predefinidos. No está instalado: {0}.</translation>
    </message>
    <message>
        <source>This machine has no command srun: it is no login node.</source>
        <translation>Esta máquina no tiene la orden srun: no es un nodo de acceso.</translation>
    </message>
    <message>
        <source>This machine has {0}.</source>
        <translation>Este equipo tiene {0}.</translation>
    </message>
    <message>
        <source>This model is not for such images: {0}.</source>
        <translation>Este modelo no es para imágenes como esta: {0}.</translation>
    </message>
    <message>
        <source>This needs the training part of Fullfield.</source>
        <translation>Esto necesita la parte de entrenamiento de Fullfield.</translation>
    </message>
    <message>
        <source>This needs the window of Fullfield.</source>
        <translation>Esto necesita la ventana de Fullfield.</translation>
    </message>
    <message>
        <source>This network&apos;s stem makes a map that a decoder block needs.</source>
        <translation>La entrada de esta red produce un mapa que necesita un bloque del decodificador.</translation>
    </message>
    <message>
        <source>This node&apos;s part of the training has ended.</source>
        <translation>La parte del entrenamiento de este nodo ha terminado.</translation>
    </message>
    <message>
        <source>This result is doubtful: {0}.</source>
        <translation>Este resultado es dudoso: {0}.</translation>
    </message>
    <message>
        <source>This user&apos;s ~/.ssh/config has a mistake.</source>
        <translation>El archivo ~/.ssh/config de este usuario tiene un error.</translation>
    </message>
    <message>
        <source>This word means something else where a preset is chosen.</source>
        <translation>Esta palabra significa otra cosa donde se elige un ajuste predefinido.</translation>
    </message>
    <message>
        <source>Times on cards are estimates, from {0} of the rates that are stated ({1}) and {2} µs for each operation, as one H200 showed them: no step was measured here.</source>
        <translation>Los tiempos en tarjetas son estimaciones, a partir del {0} de las tasas declaradas ({1}) y {2} µs por cada operación, como los mostró una H200: aquí no se midió ningún paso.</translation>
    </message>
    <message>
        <source>Train on it alone, or leave it out.</source>
        <translation>Entrene solo en él, o déjelo fuera.</translation>
    </message>
    <message>
        <source>Train on the images themselves, or without --compare.</source>
        <translation>Entrene con las propias imágenes, o sin --compare.</translation>
    </message>
    <message>
        <source>Train on the images themselves.</source>
        <translation>Entrene con las propias imágenes.</translation>
    </message>
    <message>
        <source>Training for int8 takes more memory than plain training: the rounding keeps maps of its own.</source>
        <translation>Entrenar para int8 ocupa más memoria que el entrenamiento normal: el redondeo guarda mapas propios.</translation>
    </message>
    <message>
        <source>Training needs images of at least two patients; a patient is the header&apos;s Patient ID, or a folder called patient and a number, or just a long number where names below it only count, or else the first part of the file&apos;s name.</source>
        <translation>Para entrenar hacen falta imágenes de al menos dos pacientes; el paciente se reconoce por el Patient ID de la cabecera, o por una carpeta llamada patient y un número, o solo un número largo si los nombres dentro de ella solo cuentan, o si no por la primera parte del nombre del archivo.</translation>
    </message>
    <message>
        <source>Try again later.</source>
        <translation>Inténtelo más tarde.</translation>
    </message>
    <message>
        <source>Two of its members are the same model.</source>
        <translation>Dos de sus miembros son el mismo modelo.</translation>
    </message>
    <message>
        <source>Use a preset, which needs no model, or train a model with `fullfield train`.</source>
        <translation>Use un ajuste predefinido, que no necesita modelo, o entrene un modelo con `fullfield train`.</translation>
    </message>
    <message>
        <source>Use another preset or model. Without --strict it is warned about, or a preset takes its place.</source>
        <translation>Use otro ajuste o modelo. Sin --strict se avisa de ello, o un ajuste ocupa su lugar.</translation>
    </message>
    <message>
        <source>Use data_parallel.</source>
        <translation>Utilice data_parallel.</translation>
    </message>
    <message>
        <source>Use that version, restore the file from a copy, or delete it and review again.</source>
        <translation>Use esa versión, restaure el archivo desde una copia, o bórrelo y revise de nuevo.</translation>
    </message>
    <message>
        <source>Use the preset. Without --strict it takes the model&apos;s place; --force-result keeps the model&apos;s.</source>
        <translation>Use el ajuste predefinido. Sin --strict ocupa el lugar del modelo; --force-result conserva el resultado del modelo.</translation>
    </message>
    <message>
        <source>Vuylsteke &amp; Schoeters 1994: the linear toe</source>
        <translation>Vuylsteke y Schoeters 1994: el pie lineal</translation>
    </message>
    <message>
        <source>Wait half a minute, then start again.</source>
        <translation>Espere medio minuto y vuelva a empezar.</translation>
    </message>
    <message>
        <source>Wait until that is done.</source>
        <translation>Espere a que termine.</translation>
    </message>
    <message>
        <source>Waiting in the queue of the cluster</source>
        <translation>Esperando en la cola del clúster</translation>
    </message>
    <message>
        <source>What compressing costs on a card was measured on one alone: 4.7 times the plain step at 2,048 pixels.</source>
        <translation>Lo que cuesta comprimir en una tarjeta se midió solo en una: 4,7 veces el paso simple con 2048 píxeles.</translation>
    </message>
    <message>
        <source>What has this name already is no such bundle, and stays as it is.</source>
        <translation>Lo que ya lleva ese nombre no es un paquete de este tipo, y queda como está.</translation>
    </message>
    <message>
        <source>What has this name already is no text, and stays as it is.</source>
        <translation>Lo que ya lleva ese nombre no es texto, y queda como está.</translation>
    </message>
    <message>
        <source>What has this name is no file, and stays as it is.</source>
        <translation>Lo que lleva ese nombre no es un archivo, y queda como está.</translation>
    </message>
    <message>
        <source>What is between the machines cannot be measured.</source>
        <translation>No se puede medir el enlace entre las máquinas.</translation>
    </message>
    <message>
        <source>What is known of its results cannot be read. The system says: {0}.</source>
        <translation>No se puede leer lo que se sabe de sus resultados. El sistema dice: {0}.</translation>
    </message>
    <message>
        <source>What is not exact may shorten them: --approximate.</source>
        <translation>Lo que no es exacto puede acortarlos: --approximate.</translation>
    </message>
    <message>
        <source>What nodes that train together say to one another (weights, gradients, parts of maps) travels unencrypted on the interface that you name; whoever is on that network can read it, and can disturb or take over the training. Use a network of these machines alone, or a VPN such as WireGuard.</source>
        <translation>Lo que se dicen los nodos que entrenan a la vez (pesos, gradientes, partes de mapas) viaja sin cifrar por la interfaz que usted nombra; quien esté en esa red puede leerlo, y puede perturbar el entrenamiento o tomar su control. Use una red solo de estas máquinas, o una VPN como WireGuard.</translation>
    </message>
    <message>
        <source>What was here is gone.</source>
        <translation>Lo que había aquí ya no está.</translation>
    </message>
    <message>
        <source>What was sent is kept for a week.</source>
        <translation>Lo enviado se conserva una semana.</translation>
    </message>
    <message>
        <source>Where you do not want it, choose a preset or another model.</source>
        <translation>Donde no lo quiera, elija un ajuste predefinido u otro modelo.</translation>
    </message>
    <message>
        <source>Whether signals are seen with it as well as before could not be measured.</source>
        <translation>No se pudo medir si las señales se ven con él tan bien como antes.</translation>
    </message>
    <message>
        <source>With --techniques left out it goes on with those that it has.</source>
        <translation>Sin --techniques continúa con las que tiene.</translation>
    </message>
    <message>
        <source>Write for instance &quot;RTX 2070, cpu&quot;.</source>
        <translation>Escriba por ejemplo &quot;RTX 2070, cpu&quot;.</translation>
    </message>
    <message>
        <source>Your model for this body part was not used; a preset was.</source>
        <translation>Su modelo para esta parte del cuerpo no se usó, sino un preajuste.</translation>
    </message>
    <message>
        <source>Your preset {0} is not chosen automatically: its file cannot be used.</source>
        <translation>Su preajuste {0} no se elige automáticamente: su archivo no se puede usar.</translation>
    </message>
    <message>
        <source>`fullfield bench quality` on 152 real radiographs, then by eye</source>
        <translation>`fullfield bench quality` en 152 radiografías reales y después a ojo</translation>
    </message>
    <message>
        <source>a TIFF of {0} bits a pixel</source>
        <translation>un TIFF de {0} bits por píxel</translation>
    </message>
    <message>
        <source>a TIFF that is compressed in a way that is not read</source>
        <translation>un TIFF comprimido de una forma que no se lee</translation>
    </message>
    <message>
        <source>a link to a folder</source>
        <translation>un enlace a una carpeta</translation>
    </message>
    <message>
        <source>a moving picture</source>
        <translation>una imagen en movimiento</translation>
    </message>
    <message>
        <source>by eye on real radiographs</source>
        <translation>a ojo con radiografías reales</translation>
    </message>
    <message>
        <source>cannot be used: {0}</source>
        <translation>no se puede usar: {0}</translation>
    </message>
    <message>
        <source>chosen because it is the fastest of {0} plans that fit what each device has: it takes {1}.</source>
        <translation>elegido porque es el más rápido de {0} planes que caben en lo que tiene cada dispositivo: ocupa {1}.</translation>
    </message>
    <message>
        <source>chosen because it is the fastest of {0} plans that fit {1}: it takes {2}.</source>
        <translation>elegido porque es el más rápido de {0} planes que caben en {1}: ocupa {2}.</translation>
    </message>
    <message>
        <source>chosen because it is the only plan that fits: it takes {0}.</source>
        <translation>elegido porque es el único plan que cabe: ocupa {0}.</translation>
    </message>
    <message>
        <source>conventional processor</source>
        <translation>procesador convencional</translation>
    </message>
    <message>
        <source>conventional processor (simulated raw input)</source>
        <translation>procesador convencional (entrada sin procesar simulada)</translation>
    </message>
    <message>
        <source>earlier: {0}</source>
        <translation>antes: {0}</translation>
    </message>
    <message>
        <source>fine structure of the image has been softened</source>
        <translation>la estructura fina de la imagen se ha suavizado</translation>
    </message>
    <message>
        <source>from scratch (random weights, seed {0})</source>
        <translation>de cero (pesos aleatorios, semilla {0})</translation>
    </message>
    <message>
        <source>in one place it is not what the model itself makes of the image</source>
        <translation>en un lugar no es lo que el propio modelo hace de la imagen</translation>
    </message>
    <message>
        <source>in one place it shows what the image does not have</source>
        <translation>en un lugar muestra lo que la imagen no tiene</translation>
    </message>
    <message>
        <source>in one place the structure of the image is missing</source>
        <translation>en un lugar falta la estructura de la imagen</translation>
    </message>
    <message>
        <source>is a raw image, and the model is to be used on processed ones.</source>
        <translation>es una imagen sin procesar, y el modelo se usará con imágenes procesadas.</translation>
    </message>
    <message>
        <source>is a result of Fullfield, which is learned from only where it lies in reference/ or pairs.csv lists it.</source>
        <translation>es un resultado de Fullfield, del que solo se aprende si está en reference/ o si figura en pairs.csv.</translation>
    </message>
    <message>
        <source>is there under another name too, with another reference: which is right is not clear.</source>
        <translation>está también con otro nombre y con otra referencia: no está claro cuál es la correcta.</translation>
    </message>
    <message>
        <source>it shows texture that the image does not have</source>
        <translation>muestra una textura que la imagen no tiene</translation>
    </message>
    <message>
        <source>loss {0}: is for networks that rebuild the image&apos;s bands; choose &apos;ms_ssim+l1&apos;.</source>
        <translation>loss {0}: es para redes que reconstruyen las bandas de la imagen; elija &apos;ms_ssim+l1&apos;.</translation>
    </message>
    <message>
        <source>measured on 146 real radiographs, and on their own results</source>
        <translation>medido en 146 radiografías reales y en sus propios resultados</translation>
    </message>
    <message>
        <source>measured on 152 real radiographs, and on what four processings made of them</source>
        <translation>medido en 152 radiografías reales y en lo que cuatro procesados hicieron de ellas</translation>
    </message>
    <message>
        <source>no index of a medium</source>
        <translation>ningún índice de un soporte</translation>
    </message>
    <message>
        <source>nodes.toml is damaged.</source>
        <translation>nodes.toml está dañado.</translation>
    </message>
    <message>
        <source>pairs.csv lacks the columns raw and reference.</source>
        <translation>A pairs.csv le faltan las columnas raw y reference.</translation>
    </message>
    <message>
        <source>preset {0}</source>
        <translation>ajuste {0}</translation>
    </message>
    <message>
        <source>preset {0}, {1} % of it: the source was processed already</source>
        <translation>ajuste {0}, {1} % de él: la imagen de origen ya estaba procesada</translation>
    </message>
    <message>
        <source>processed input</source>
        <translation>imágenes procesadas</translation>
    </message>
    <message>
        <source>raw and processed input, and raw-like input simulated from processed images</source>
        <translation>entrada sin procesar y procesada, e imágenes como sin procesar, simuladas a partir de procesadas</translation>
    </message>
    <message>
        <source>raw input</source>
        <translation>imágenes sin procesar</translation>
    </message>
    <message>
        <source>raw input, and raw-like input simulated from processed images</source>
        <translation>entrada sin procesar, e imágenes como sin procesar, simuladas a partir de procesadas</translation>
    </message>
    <message>
        <source>raw-like input simulated from processed images</source>
        <translation>imágenes como sin procesar, simuladas a partir de procesadas</translation>
    </message>
    <message>
        <source>simulated raw</source>
        <translation>sin procesar simulada</translation>
    </message>
    <message>
        <source>srun ended with exit code {0}.</source>
        <translation>srun terminó con el código de salida {0}.</translation>
    </message>
    <message>
        <source>the CPU</source>
        <translation>la CPU</translation>
    </message>
    <message>
        <source>the conventional processor ({0})</source>
        <translation>el procesador convencional ({0})</translation>
    </message>
    <message>
        <source>the conventional processor, preset {0}</source>
        <translation>el procesador convencional, ajuste {0}</translation>
    </message>
    <message>
        <source>the conventional processor, preset {0} at {1} of its strength</source>
        <translation>el procesador convencional, ajuste {0} al {1} de su intensidad</translation>
    </message>
    <message>
        <source>the data&apos;s own pairs</source>
        <translation>las parejas de los propios datos</translation>
    </message>
    <message>
        <source>the images themselves</source>
        <translation>las propias imágenes</translation>
    </message>
    <message>
        <source>the model that it began from</source>
        <translation>el modelo del que partió</translation>
    </message>
    <message>
        <source>the node {0}</source>
        <translation>el nodo {0}</translation>
    </message>
    <message>
        <source>the preset</source>
        <translation>el ajuste predefinido</translation>
    </message>
    <message>
        <source>this computer</source>
        <translation>este equipo</translation>
    </message>
    <message>
        <source>unprocessed input</source>
        <translation>imagen sin realzar</translation>
    </message>
    <message>
        <source>weights &apos;imagenet&apos;: ImageNet&apos;s are for the U-Net; choose &apos;auto&apos;, &apos;none&apos; or a file.</source>
        <translation>weights &apos;imagenet&apos;: los de ImageNet son para la U-Net; elija &apos;auto&apos;, &apos;none&apos; o un archivo.</translation>
    </message>
    <message>
        <source>{0} Faster plans that do not fit either: {1}.</source>
        <translation>{0} Planes más rápidos que tampoco caben: {1}.</translation>
    </message>
    <message>
        <source>{0} No member is trained there any more.</source>
        <translation>{0} Allí ya no se entrena ningún miembro.</translation>
    </message>
    <message>
        <source>{0} The CPU is taken to compute {1} GFLOP/s.</source>
        <translation>{0} Se supone que la CPU calcula {1} GFLOP/s.</translation>
    </message>
    <message>
        <source>{0} are named.</source>
        <translation>Se han nombrado {0}.</translation>
    </message>
    <message>
        <source>{0} does not go with {1}: {2}</source>
        <translation>{0} no se puede combinar con {1}: {2}</translation>
    </message>
    <message>
        <source>{0} does not suit this image.</source>
        <translation>{0} no es adecuado para esta imagen.</translation>
    </message>
    <message>
        <source>{0} does nothing with by={1}, which does not look at it.</source>
        <translation>{0} no hace nada con by={1}, que no lo tiene en cuenta.</translation>
    </message>
    <message>
        <source>{0} images need a preset that is made for them.</source>
        <translation>Las imágenes {0} necesitan un ajuste hecho para ellas.</translation>
    </message>
    <message>
        <source>{0} images of {1} patients: {2} to train on, {3} held back{4}; {5}; reference: {6}.</source>
        <translation>{0} imágenes de {1} pacientes: {2} para entrenar, {3} para comprobar{4}; {5}; referencia: {6}.</translation>
    </message>
    <message>
        <source>{0} is no name of a network interface.</source>
        <translation>{0} no es el nombre de una interfaz de red.</translation>
    </message>
    <message>
        <source>{0} is not made of srun&apos;s options, such as --partition=gpu --gres=gpu:1.</source>
        <translation>{0} no se compone de opciones de srun, como --partition=gpu --gres=gpu:1.</translation>
    </message>
    <message>
        <source>{0} is the login node of a cluster, whose queue decides when and where its part begins.</source>
        <translation>{0} es el nodo de acceso de un clúster, cuya cola decide cuándo y dónde empieza su parte.</translation>
    </message>
    <message>
        <source>{0} needs one of these: {1}.</source>
        <translation>{0} necesita una de estas: {1}.</translation>
    </message>
    <message>
        <source>{0} not found: not all of it works. Installed: {1}.</source>
        <translation>No se encuentra {0}: no todo funciona. Instalado: {1}.</translation>
    </message>
    <message>
        <source>{0} of {1} are complete, and {2} are needed.</source>
        <translation>{0} de {1} están completos, y hacen falta {2}.</translation>
    </message>
    <message>
        <source>{0} of {1} nodes train together: {2}.</source>
        <translation>{0} de {1} nodos entrenan a la vez: {2}.</translation>
    </message>
    <message>
        <source>{0} processes cannot be divided into groups of {1} that share an image.</source>
        <translation>No se pueden dividir {0} procesos en grupos de {1} que compartan una imagen.</translation>
    </message>
    <message>
        <source>{0} processes share an image, and {1} portions are named.</source>
        <translation>{0} procesos comparten una imagen y se nombran {1} porciones.</translation>
    </message>
    <message>
        <source>{0} processes share the images of every batch (data_parallel).</source>
        <translation>{0} procesos se reparten las imágenes de cada lote (data_parallel).</translation>
    </message>
    <message>
        <source>{0} processes share the images, and {1} portions are named.</source>
        <translation>{0} procesos comparten las imágenes, y se indican {1} porciones.</translation>
    </message>
    <message>
        <source>{0} {1} It is tried again.</source>
        <translation>{0} {1} Se intenta de nuevo.</translation>
    </message>
    <message>
        <source>{0} {1} The run goes on there, and the line is tried again.</source>
        <translation>{0} {1} La ejecución sigue allí, y la conexión se intenta de nuevo.</translation>
    </message>
    <message>
        <source>{0} {1} What is not done there is enhanced on {2}.</source>
        <translation>{0} {1} Lo que no se ha hecho allí se realza en {2}.</translation>
    </message>
    <message>
        <source>{0} {1} What it cannot do is enhanced on {2}.</source>
        <translation>{0} {1} Lo que no puede hacer se realza en {2}.</translation>
    </message>
    <message>
        <source>{0} {1} What this computer cannot do is enhanced on {2}.</source>
        <translation>{0} {1} Lo que este equipo no puede hacer se realza en {2}.</translation>
    </message>
    <message>
        <source>{0} {1} is not whole: it was damaged on its way.</source>
        <translation>{0} {1} no está completo: se dañó por el camino.</translation>
    </message>
    <message>
        <source>{0}: it is another version.</source>
        <translation>{0}: es otra versión.</translation>
    </message>
    <message>
        <source>{0}: refused because it takes {1} on {2}, which has {3} for it.</source>
        <translation>{0}: se descarta porque ocupa {1} en {2}, que tiene {3} para él.</translation>
    </message>
    <message>
        <source>{0}: refused because it takes {1}, more than {2}.</source>
        <translation>{0}: se descarta porque ocupa {1}, más de {2}.</translation>
    </message>
    <message>
        <source>Try again when it is copied completely.</source>
        <translation>Inténtelo de nuevo cuando se haya copiado por completo.</translation>
    </message>
    <message>
        <source>; the whole card held up to {0}</source>
        <translation>; en toda la tarjeta se llegaron a ocupar {0}</translation>
    </message>
    <message>
        <source>; the whole process, without a graphics card, held up to {0}</source>
        <translation>; el proceso entero, sin tarjeta gráfica, llegó a ocupar {0}</translation>
    </message>
    <message>
        <source>A map network computes on the CPU alone, where it takes a tenth of a second.</source>
        <translation>Una red de mapas calcula solo en la CPU, donde tarda una décima de segundo.</translation>
    </message>
    <message>
        <source>Add format={0}, or leave it out.</source>
        <translation>Añada format={0}, o no lo indique.</translation>
    </message>
    <message>
        <source>Add the node again with --slurm=&quot;&quot;, or name the login node.</source>
        <translation>Vuelva a añadir el nodo con --slurm=&quot;&quot;, o indique el nodo de acceso.</translation>
    </message>
    <message>
        <source>Allow more memory, choose a smaller size, or take techniques that are not exact, such as precision where the device has it.</source>
        <translation>Permita más memoria, elija un tamaño menor o use técnicas que no son exactas, como precision si el dispositivo la tiene.</translation>
    </message>
    <message>
        <source>Allow more memory, or choose a smaller size.</source>
        <translation>Permita más memoria o elija un tamaño menor.</translation>
    </message>
    <message>
        <source>Asking {0} what it has</source>
        <translation>Preguntando qué tiene {0}</translation>
    </message>
    <message>
        <source>Batch normalisation sees other groups of images now: {0}, before: {1}.</source>
        <translation>La normalización por lotes ve ahora otros grupos de imágenes: {0}; antes: {1}.</translation>
    </message>
    <message>
        <source>Between computers either cards talk or processors. On one a card and the CPU go together.</source>
        <translation>Entre ordenadores se comunican o bien tarjetas o bien procesadores. En uno solo, una tarjeta y la CPU pueden ir juntas.</translation>
    </message>
    <message>
        <source>Cannot divide the network among {0} processes.</source>
        <translation>No se puede dividir la red entre {0} procesos.</translation>
    </message>
    <message>
        <source>Cannot plan for these devices.</source>
        <translation>No se puede planificar para estos dispositivos.</translation>
    </message>
    <message>
        <source>Cannot plan for {0} cards.</source>
        <translation>No se puede planificar para {0} tarjetas.</translation>
    </message>
    <message>
        <source>Cannot plan for {0} processes.</source>
        <translation>No se puede planificar para {0} procesos.</translation>
    </message>
    <message>
        <source>Cannot plan for {0}.</source>
        <translation>No se puede planificar para {0}.</translation>
    </message>
    <message>
        <source>Cannot read {0} as a link.</source>
        <translation>No se entiende {0} como conexión.</translation>
    </message>
    <message>
        <source>Cannot train on several computers with a card and the CPU of each.</source>
        <translation>No se puede entrenar en varios ordenadores con una tarjeta y la CPU de cada uno.</translation>
    </message>
    <message>
        <source>Cannot train this network on these data.</source>
        <translation>No se puede entrenar esta red con estos datos.</translation>
    </message>
    <message>
        <source>Cannot use {0} for this model.</source>
        <translation>No se puede usar {0} para este modelo.</translation>
    </message>
    <message>
        <source>Cards that need not be here are named together with others.</source>
        <translation>Se nombran tarjetas que no tienen que estar aquí junto con otras.</translation>
    </message>
    <message>
        <source>Choose a larger number of machines that are enough (--nodes MIN:MAX; in the window: Goes on with at least). {0}</source>
        <translation>Elija un número mayor de máquinas que bastan (--nodes MIN:MAX; en la ventana: Continúa con al menos). {0}</translation>
    </message>
    <message>
        <source>Choose a model made by `fullfield train`, or start from weights of this network.</source>
        <translation>Elija un modelo hecho con `fullfield train`, o empiece con pesos de esta red.</translation>
    </message>
    <message>
        <source>Choose a model made by `fullfield train`.</source>
        <translation>Elija un modelo hecho con `fullfield train`.</translation>
    </message>
    <message>
        <source>Choose a model of the same kind, or start without (--weights none).</source>
        <translation>Elija un modelo del mismo tipo, o empiece sin pesos (--weights none).</translation>
    </message>
    <message>
        <source>Choose another model.</source>
        <translation>Elija otro modelo.</translation>
    </message>
    <message>
        <source>Choose auto, cpu, cuda or cuda:0 (cuda:1 …); for several processes cuda:0,cuda:1 or cuda:0,cpu.</source>
        <translation>Elija auto, cpu, cuda o cuda:0 (cuda:1 …); para varios procesos cuda:0,cuda:1 o cuda:0,cpu.</translation>
    </message>
    <message>
        <source>Choose the device auto or cpu, or one computer.</source>
        <translation>Elija el dispositivo auto o cpu, o un solo ordenador.</translation>
    </message>
    <message>
        <source>Choose the device auto or cpu, or one of them alone (--on {0}).</source>
        <translation>Elija el dispositivo auto o cpu, o solo uno de ellos (--on {0}).</translation>
    </message>
    <message>
        <source>Choose the same network for the training, or other weights.</source>
        <translation>Elija la misma red para el entrenamiento, u otros pesos.</translation>
    </message>
    <message>
        <source>Delete that file: the usual limits hold then, until you measure its own again (fullfield bench guards).</source>
        <translation>Elimine ese archivo: valdrán entonces los límites habituales, hasta que mida de nuevo los suyos (fullfield bench guards).</translation>
    </message>
    <message>
        <source>Fewer processes than devices were asked for: nothing is trained on {0}.</source>
        <translation>Se pidieron menos procesos que dispositivos: en {0} no se entrena nada.</translation>
    </message>
    <message>
        <source>Free some space or choose a folder that you may write to, then try again: what is done is kept.</source>
        <translation>Libere espacio o elija una carpeta en la que pueda escribir y vuelva a intentarlo: lo que ya está hecho se conserva.</translation>
    </message>
    <message>
        <source>Fullfield works on single-frame grey radiographs: the classes CR, DX, MG and IO, Secondary Capture of these, and PNG, TIFF, JPEG or WebP files.</source>
        <translation>Fullfield trabaja con radiografías en gris de una sola imagen: las clases CR, DX, MG e IO, Secondary Capture de estas, y archivos PNG, TIFF, JPEG o WebP.</translation>
    </message>
    <message>
        <source>Install fullfield, which adds the window to the engine.</source>
        <translation>Instale fullfield, que añade la ventana al motor.</translation>
    </message>
    <message>
        <source>It cannot compute for this computer.</source>
        <translation>No puede calcular para este equipo.</translation>
    </message>
    <message>
        <source>It holds other files, or scenes of another kind.</source>
        <translation>Contiene otros archivos, o escenas de otro tipo.</translation>
    </message>
    <message>
        <source>It is a {0}, this training is of a {1}.</source>
        <translation>Es de tipo {0}; este entrenamiento es de tipo {1}.</translation>
    </message>
    <message>
        <source>It is no model of this program; other weights are for encoders, and a {0} has none.</source>
        <translation>No es un modelo de este programa; los demás pesos son para codificadores, y el tipo {0} no tiene ninguno.</translation>
    </message>
    <message>
        <source>It is not better than what needs no model: on the images held back its loss is {0}, against {1} of the {2} (lower is better).</source>
        <translation>No es mejor que lo que no necesita modelo: en las imágenes reservadas su pérdida es {0}, frente a {1} de: {2} (menor es mejor).</translation>
    </message>
    <message>
        <source>It runs on {0}: {1}.</source>
        <translation>Se ejecuta en {0}: {1}.</translation>
    </message>
    <message>
        <source>Its tensors hold values that are not finite.</source>
        <translation>Sus tensores contienen valores que no son finitos.</translation>
    </message>
    <message>
        <source>Its weights are not those of a map network.</source>
        <translation>Sus pesos no son los de una red de mapas.</translation>
    </message>
    <message>
        <source>Its weights are not those of the {0}: {1} tensors differ, first {2}.</source>
        <translation>Sus pesos no son los de {0}: difieren {1} tensores, el primero {2}.</translation>
    </message>
    <message>
        <source>Leave it out (local): it can start and follow what others train.</source>
        <translation>No lo incluya (local): puede iniciar y seguir lo que otros entrenan.</translation>
    </message>
    <message>
        <source>Most often that is want of memory: go on (--resume) with fewer processes or --fit AMOUNT. A smaller --size or --batch needs a new folder.</source>
        <translation>Casi siempre es falta de memoria: continúe (--resume) con menos procesos o con --fit CANTIDAD. Un --size o un --batch menor necesita una carpeta nueva.</translation>
    </message>
    <message>
        <source>Most was held {0}.</source>
        <translation>El máximo se alcanzó {0}.</translation>
    </message>
    <message>
        <source>No plan for one {0} alone fits.</source>
        <translation>Ningún plan cabe con solo uno ({0}).</translation>
    </message>
    <message>
        <source>One {0} alone takes {1} times as long ({2}).</source>
        <translation>Uno solo ({0}) tarda {1} veces más ({2}).</translation>
    </message>
    <message>
        <source>Only {0} patients who were kept apart could be compared, and {1} are needed: add reviewed images of other patients.</source>
        <translation>Solo se pudieron comparar {0} pacientes apartados, y hacen falta {1}: añada imágenes revisadas de otros pacientes.</translation>
    </message>
    <message>
        <source>Say the least and the most that train together, such as --nodes 1:{0}.</source>
        <translation>Indique el mínimo y el máximo de los que entrenan a la vez, por ejemplo --nodes 1:{0}.</translation>
    </message>
    <message>
        <source>See data_parallel.</source>
        <translation>Véase data_parallel.</translation>
    </message>
    <message>
        <source>Sending the images to {0}</source>
        <translation>Enviando las imágenes hacia {0}</translation>
    </message>
    <message>
        <source>Skull</source>
        <translation>Cráneo</translation>
    </message>
    <message>
        <source>Skull, raw input</source>
        <translation>Cráneo, sin procesar</translation>
    </message>
    <message>
        <source>Some of its files are in use, or are not yours to remove.</source>
        <translation>Algunos de sus archivos están en uso o no le corresponde a usted quitarlos.</translation>
    </message>
    <message>
        <source>Start from ImageNet&apos;s (--weights imagenet, which the node must have), from the model that ships (--weights shipped), or without.</source>
        <translation>Parta de los de ImageNet (--weights imagenet, que el nodo debe tener), del modelo que acompaña al programa (--weights shipped), o sin ellos.</translation>
    </message>
    <message>
        <source>Start it again; if it happens again, send us {0} of the run&apos;s folder.</source>
        <translation>Iníciela de nuevo; si vuelve a ocurrir, envíenos el archivo {0} de la carpeta de la ejecución.</translation>
    </message>
    <message>
        <source>Start one process, or train on Linux, or in WSL.</source>
        <translation>Inicie un solo proceso, o entrene en Linux o en WSL.</translation>
    </message>
    <message>
        <source>Step {0}: the gradient is not a number; the step is skipped.</source>
        <translation>Paso {0}: el gradiente no es un número; el paso se omite.</translation>
    </message>
    <message>
        <source>Step {0}: the loss is not a number; the step is skipped.</source>
        <translation>Paso {0}: la pérdida no es un número; el paso se omite.</translation>
    </message>
    <message>
        <source>Step {0}: {1} gradients are not numbers; their weights stay, the others are updated.</source>
        <translation>Paso {0}: {1} gradientes no son números; sus pesos se quedan como están y los demás se actualizan.</translation>
    </message>
    <message>
        <source>Teeth and jaws</source>
        <translation>Dientes y maxilares</translation>
    </message>
    <message>
        <source>Teeth and jaws, raw input</source>
        <translation>Dientes y maxilares, sin procesar</translation>
    </message>
    <message>
        <source>Tell pip your clinic&apos;s certificate, with PIP_CERT or pip config set global.cert FILE, and try again.</source>
        <translation>Indique a pip el certificado de su centro, con PIP_CERT o pip config set global.cert ARCHIVO, y vuelva a intentarlo.</translation>
    </message>
    <message>
        <source>Tell pip your proxy, with HTTPS_PROXY or pip config set global.proxy ADDRESS, and try again.</source>
        <translation>Indique a pip su proxy, con HTTPS_PROXY o pip config set global.proxy DIRECCIÓN, y vuelva a intentarlo.</translation>
    </message>
    <message>
        <source>The Python that was found cannot be started.</source>
        <translation>El Python encontrado no se puede iniciar.</translation>
    </message>
    <message>
        <source>The certificate of the package index, or of a proxy before it, is not trusted.</source>
        <translation>El certificado del índice de paquetes, o de un proxy anterior, no es de confianza.</translation>
    </message>
    <message>
        <source>The data were prepared for: {0}.</source>
        <translation>Los datos se prepararon para: {0}.</translation>
    </message>
    <message>
        <source>The disk is full.</source>
        <translation>El disco está lleno.</translation>
    </message>
    <message>
        <source>The driver {0} of {1} allows CUDA up to {2}, and CUDA {3} is needed: update it first to train on the card.</source>
        <translation>El controlador {0} de {1} permite CUDA hasta {2}, y se necesita CUDA {3}: actualícelo antes para entrenar con la tarjeta.</translation>
    </message>
    <message>
        <source>The driver {0} of {1} allows CUDA {2}.</source>
        <translation>El controlador {0} de {1} permite CUDA {2}.</translation>
    </message>
    <message>
        <source>The folder is gone: it was deleted, moved or renamed, or its drive is not connected any more.</source>
        <translation>La carpeta ya no está: se ha eliminado, movido o renombrado, o su unidad ya no está conectada.</translation>
    </message>
    <message>
        <source>The folder of the run is gone: it was deleted, moved or renamed, or its drive is not connected any more.</source>
        <translation>La carpeta del entrenamiento ya no está: se ha eliminado, movido o renombrado, o su unidad ya no está conectada.</translation>
    </message>
    <message>
        <source>The hub names another file than the one that belongs to this encoder.</source>
        <translation>El servidor indica un archivo distinto del que corresponde a este codificador.</translation>
    </message>
    <message>
        <source>The images held back have {0} input alone: on the other kind the model is not measured.</source>
        <translation>Las imágenes reservadas solo tienen entrada de tipo «{0}»: con el otro tipo no se mide el modelo.</translation>
    </message>
    <message>
        <source>The last good checkpoint is kept.</source>
        <translation>Se conserva el último punto de control válido.</translation>
    </message>
    <message>
        <source>The list of checkpoints is empty; those that lie there are whole and are used.</source>
        <translation>La lista de puntos de control está vacía; los que hay en la carpeta están íntegros y se usan.</translation>
    </message>
    <message>
        <source>The list of its checkpoints cannot be read now.</source>
        <translation>La lista de sus puntos de control no se puede leer ahora.</translation>
    </message>
    <message>
        <source>The list of its checkpoints is empty, and the checkpoints that are still there are damaged.</source>
        <translation>La lista de sus puntos de control está vacía y los puntos de control que quedan están dañados.</translation>
    </message>
    <message>
        <source>The loss or its gradient was not a number in {0} steps in a row.</source>
        <translation>La pérdida o su gradiente no fue un número en {0} pasos seguidos.</translation>
    </message>
    <message>
        <source>The model is to be used on processed images, and all of these are raw.</source>
        <translation>El modelo se usará con imágenes procesadas, y todas estas son imágenes sin procesar.</translation>
    </message>
    <message>
        <source>The network has {0} parts, too few for {1} processes.</source>
        <translation>La red tiene {0} partes, demasiado pocas para {1} procesos.</translation>
    </message>
    <message>
        <source>The network starts {0}.</source>
        <translation>La red parte {0}.</translation>
    </message>
    <message>
        <source>The nodes of Fullfield; changed by its page Train, and by fullfield node add and remove.</source>
        <translation>Los nodos de Fullfield; los cambian su página Entrenar, y fullfield node add y remove.</translation>
    </message>
    <message>
        <source>The original file is damaged: parts of the picture may be missing or wrong.</source>
        <translation>El archivo original está dañado: pueden faltar partes de la imagen o ser erróneas.</translation>
    </message>
    <message>
        <source>The package index refuses.</source>
        <translation>El índice de paquetes deniega el acceso.</translation>
    </message>
    <message>
        <source>The package index was not reached, or broke off.</source>
        <translation>No se pudo llegar al índice de paquetes, o se cortó la conexión.</translation>
    </message>
    <message>
        <source>The prepared image {0} is damaged or missing, and it cannot be made anew: {1}</source>
        <translation>La imagen preparada {0} está dañada o falta y no se puede rehacer: {1}</translation>
    </message>
    <message>
        <source>The prepared image {0} was damaged or missing in the cache; it was made anew from its source and is the same again.</source>
        <translation>La imagen preparada {0} estaba dañada o faltaba en la caché; se ha rehecho a partir de su original y vuelve a ser la misma.</translation>
    </message>
    <message>
        <source>The proxy refuses.</source>
        <translation>El proxy deniega el acceso.</translation>
    </message>
    <message>
        <source>The run was stopped before an answer said that it began.</source>
        <translation>La ejecución se detuvo antes de que una respuesta dijera que había empezado.</translation>
    </message>
    <message>
        <source>The run was stopped before it began.</source>
        <translation>El proceso se detuvo antes de empezar.</translation>
    </message>
    <message>
        <source>The step takes two arguments: the folder of a run, and the pid of its worker.</source>
        <translation>El paso recibe dos argumentos: la carpeta de una ejecución y el pid de su proceso de trabajo.</translation>
    </message>
    <message>
        <source>The training part is installed: PyTorch {0} for NVIDIA cards, with Python {1}.</source>
        <translation>El componente de entrenamiento está instalado: PyTorch {0} para tarjetas NVIDIA, con Python {1}.</translation>
    </message>
    <message>
        <source>The training part is installed: PyTorch {0} for the CPU, with Python {1}.</source>
        <translation>El componente de entrenamiento está instalado: PyTorch {0} para la CPU, con Python {1}.</translation>
    </message>
    <message>
        <source>The training part was not installed.</source>
        <translation>El componente de entrenamiento no se instaló.</translation>
    </message>
    <message>
        <source>The versions of torch and torchvision that were found do not go together.</source>
        <translation>Las versiones de torch y torchvision encontradas no son compatibles entre sí.</translation>
    </message>
    <message>
        <source>The weights were not fetched.</source>
        <translation>No se han descargado los pesos.</translation>
    </message>
    <message>
        <source>The {0} of image {1} is damaged or missing.</source>
        <translation>Falta o está dañada la parte {0} de la imagen {1}.</translation>
    </message>
    <message>
        <source>There are no wheels in the folder.</source>
        <translation>En la carpeta no hay paquetes (wheels).</translation>
    </message>
    <message>
        <source>There is no card here, and the host tier is the same memory: what is moved there saves nothing.</source>
        <translation>Aquí no hay tarjeta, y la memoria del equipo es la misma: lo que se traslada a ella no ahorra nada.</translation>
    </message>
    <message>
        <source>There is no card here: it is the same memory.</source>
        <translation>Aquí no hay tarjeta: es la misma memoria.</translation>
    </message>
    <message>
        <source>There is no wheel of {0} for this system and its Python, in the tested version.</source>
        <translation>No hay ningún paquete (wheel) de {0} para este sistema y su Python en la versión probada.</translation>
    </message>
    <message>
        <source>There is one build for a Mac.</source>
        <translation>Para Mac hay una sola variante.</translation>
    </message>
    <message>
        <source>There is one process, which keeps everything.</source>
        <translation>Hay un solo proceso, que lo guarda todo.</translation>
    </message>
    <message>
        <source>There is one process, which sends nothing.</source>
        <translation>Hay un solo proceso, que no envía nada.</translation>
    </message>
    <message>
        <source>There is one process.</source>
        <translation>Hay un solo proceso.</translation>
    </message>
    <message>
        <source>These processes cannot train together.</source>
        <translation>Estos procesos no pueden entrenar juntos.</translation>
    </message>
    <message>
        <source>This build of PyTorch was not found: {0} was not reached, or does not have it.</source>
        <translation>No se encontró esta variante de PyTorch: no se pudo llegar a {0}, o no la tiene.</translation>
    </message>
    <message>
        <source>This edition of Fullfield does not carry what its workers are made of.</source>
        <translation>Esta edición de Fullfield no incluye aquello de lo que se hacen sus procesos de trabajo.</translation>
    </message>
    <message>
        <source>This file is damaged: the decoder met faults in its compressed image, and parts of the picture may be missing or wrong.</source>
        <translation>Este archivo está dañado: el descodificador encontró fallos en su imagen comprimida, y pueden faltar partes de la imagen o ser erróneas.</translation>
    </message>
    <message>
        <source>This image has {0} mm per pixel, {1} times finer than the model&apos;s {2}. The model drew at its own scale, 1/{3} of the image&apos;s size; what is finer is the image&apos;s own detail, stronger or weaker as there.</source>
        <translation>Esta imagen tiene {0} mm por píxel, {1} veces más fina que los {2} del modelo. El modelo ha dibujado a su propia escala, 1/{3} del tamaño de la imagen; lo más fino es el detalle propio de la imagen, más fuerte o más débil como allí.</translation>
    </message>
    <message>
        <source>This image has {0} pixels on its longer side, {1} times the model&apos;s {2}. The model drew at its own scale, 1/{3} of the image&apos;s size; what is finer is the image&apos;s own detail, stronger or weaker as there.</source>
        <translation>Esta imagen tiene {0} píxeles en su lado mayor, {1} veces los {2} del modelo. El modelo ha dibujado a su propia escala, 1/{3} del tamaño de la imagen; lo más fino es el detalle propio de la imagen, más fuerte o más débil como allí.</translation>
    </message>
    <message>
        <source>This model cannot become a default.</source>
        <translation>Este modelo no puede ser el predeterminado.</translation>
    </message>
    <message>
        <source>This model is no default.</source>
        <translation>Este modelo no es predeterminado.</translation>
    </message>
    <message>
        <source>This model is not used without a confirmation.</source>
        <translation>Este modelo no se usa sin una confirmación.</translation>
    </message>
    <message>
        <source>This system&apos;s kernel does not offer all that would hold a hostile file. Not in force: {0}.</source>
        <translation>El núcleo de este sistema no ofrece todo lo que contendría un archivo hostil. Sin efecto: {0}.</translation>
    </message>
    <message>
        <source>Those of {0} are not on this computer, and nothing is fetched without being asked for.</source>
        <translation>Los de {0} no están en este ordenador, y no se descarga nada sin que se pida.</translation>
    </message>
    <message>
        <source>Those of {0} on this computer are damaged.</source>
        <translation>Los de {0} que hay en este ordenador están dañados.</translation>
    </message>
    <message>
        <source>Train it longer or on more images, or let a preset be the default.</source>
        <translation>Entrénelo más tiempo o con más imágenes, o deje un preajuste como predeterminado.</translation>
    </message>
    <message>
        <source>Train without --compare, or on this computer (--on local).</source>
        <translation>Entrene sin --compare, o en este equipo (--on local).</translation>
    </message>
    <message>
        <source>Try again.</source>
        <translation>Inténtelo de nuevo.</translation>
    </message>
    <message>
        <source>Try again; if it happens again, ask who runs the package index or made the folder.</source>
        <translation>Vuelva a intentarlo; si ocurre de nuevo, pregunte a quien administra el índice de paquetes o preparó la carpeta.</translation>
    </message>
    <message>
        <source>Try again; the other images are not affected.</source>
        <translation>Inténtelo de nuevo; las demás imágenes no se ven afectadas.</translation>
    </message>
    <message>
        <source>Trying the training part</source>
        <translation>Probando el componente de entrenamiento</translation>
    </message>
    <message>
        <source>Under a share of the maps the compiler keeps fewer of them than are reckoned here.</source>
        <translation>Con solo una parte de los mapas, el compilador guarda menos de los que aquí se calculan.</translation>
    </message>
    <message>
        <source>Unpack the archive and choose the files themselves.</source>
        <translation>Descomprima el archivo ZIP y elija los propios archivos.</translation>
    </message>
    <message>
        <source>Unpack the archive with its password first.</source>
        <translation>Descomprima primero el archivo ZIP con su contraseña.</translation>
    </message>
    <message>
        <source>Update Fullfield, or choose another model.</source>
        <translation>Actualice Fullfield, o elija otro modelo.</translation>
    </message>
    <message>
        <source>Update the NVIDIA driver, and install the build of PyTorch for NVIDIA GPUs from pytorch.org.</source>
        <translation>Actualice el controlador de NVIDIA e instale la versión de PyTorch para GPU de NVIDIA desde pytorch.org.</translation>
    </message>
    <message>
        <source>Update the NVIDIA driver, and install the edition of Fullfield for NVIDIA GPUs.</source>
        <translation>Actualice el controlador de NVIDIA e instale la edición de Fullfield para GPU de NVIDIA.</translation>
    </message>
    <message>
        <source>Use a Linux kernel from 5.13 on, in which Landlock and seccomp are switched on.</source>
        <translation>Use un núcleo de Linux 5.13 o posterior con Landlock y seccomp activados.</translation>
    </message>
    <message>
        <source>Use a model that is made for such images, or write a preset for them.</source>
        <translation>Use un modelo hecho para tales imágenes, o escriba un ajuste predefinido para ellas.</translation>
    </message>
    <message>
        <source>Use a model that is made for such images.</source>
        <translation>Use un modelo hecho para tales imágenes.</translation>
    </message>
    <message>
        <source>Use a preset or another model, or confirm it with --force-result.</source>
        <translation>Use un preajuste u otro modelo, o confírmelo con --force-result.</translation>
    </message>
    <message>
        <source>Use a preset.</source>
        <translation>Use un preajuste.</translation>
    </message>
    <message>
        <source>Use fullfield --batch IN… -o OUT.</source>
        <translation>Use fullfield --batch ENTRADA… -o SALIDA.</translation>
    </message>
    <message>
        <source>Use {0}, {1} or {2}, or fewer than {3} processes.</source>
        <translation>Use {0}, {1} o {2}, o menos de {3} procesos.</translation>
    </message>
    <message>
        <source>Wait for it or stop it, or choose another folder.</source>
        <translation>Espere a que termine, deténgalo, o elija otra carpeta.</translation>
    </message>
    <message>
        <source>Wait for it, or choose another folder.</source>
        <translation>Espere a que termine, o elija otra carpeta.</translation>
    </message>
    <message>
        <source>Wait for it, or stop it first.</source>
        <translation>Espere a que termine, o deténgalo primero.</translation>
    </message>
    <message>
        <source>What arrived are no weights of this encoder.</source>
        <translation>Lo recibido no son pesos de este codificador.</translation>
    </message>
    <message>
        <source>What arrived is not what the hub says that it sent.</source>
        <translation>Lo recibido no es lo que el servidor dice haber enviado.</translation>
    </message>
    <message>
        <source>What gradient_compression left over is of each process, and in no checkpoint: it begins with nothing left over.</source>
        <translation>Lo que gradient_compression dejó pendiente es de cada proceso y no está en ningún punto de control: empieza sin nada pendiente.</translation>
    </message>
    <message>
        <source>What has been fetched is kept.</source>
        <translation>Lo descargado se conserva.</translation>
    </message>
    <message>
        <source>What has been fetched is kept. Check the connection and the proxy (HTTPS_PROXY), or name a folder of wheels.</source>
        <translation>Lo descargado se conserva. Compruebe la conexión y el proxy (HTTPS_PROXY), o indique una carpeta de paquetes (wheels).</translation>
    </message>
    <message>
        <source>What the folder of this run holds is damaged, or cannot be read now.</source>
        <translation>El contenido de la carpeta de este entrenamiento está dañado o no se puede leer ahora.</translation>
    </message>
    <message>
        <source>What the installer said stands in {0}, beside the environment; try again, or send it to us.</source>
        <translation>Lo que dijo el instalador está en {0}, junto al entorno; vuelva a intentarlo o envíenoslo.</translation>
    </message>
    <message>
        <source>What the node {0} makes is no image. It is enhanced on {1}.</source>
        <translation>Lo que produce el nodo {0} no es una imagen. Se realza en {1}.</translation>
    </message>
    <message>
        <source>With one image in a batch they take turns: only one of them computes at a time.</source>
        <translation>Con una imagen por lote se turnan: solo uno de ellos calcula a la vez.</translation>
    </message>
    <message>
        <source>With {0} images in a batch each waits for others {1} of the time, at least.</source>
        <translation>Con {0} imágenes por lote cada uno espera a otros al menos el {1} del tiempo.</translation>
    </message>
    <message>
        <source>With {0} processes {1} sends as many bytes as sums in 32 bits do: each receives what every other one sends.</source>
        <translation>Con {0} procesos {1} envía tantos bytes como las sumas en 32 bits: cada uno recibe lo que envían todos los demás.</translation>
    </message>
    <message>
        <source>Without a screen, fullfield --batch enhances without a window.</source>
        <translation>Sin pantalla, fullfield --batch realza sin ventana.</translation>
    </message>
    <message>
        <source>Write for instance 4GiB, 512MiB or 8GB.</source>
        <translation>Escriba, por ejemplo, 4GiB, 512MiB u 8GB.</translation>
    </message>
    <message>
        <source>Written as Secondary Capture: the original lacks {0}, which is never invented.</source>
        <translation>Escrito como Secondary Capture: al original le falta {0}, que nunca se inventa.</translation>
    </message>
    <message>
        <source>You asked for it.</source>
        <translation>Usted la pidió.</translation>
    </message>
    <message>
        <source>Your models: {0}.</source>
        <translation>Sus modelos: {0}.</translation>
    </message>
    <message>
        <source>Your own package index is asked alone, and decides which build comes.</source>
        <translation>Solo se consulta su propio índice de paquetes, que decide qué variante viene.</translation>
    </message>
    <message>
        <source>a 16-bit picture with transparency</source>
        <translation>una imagen de 16 bits con transparencia</translation>
    </message>
    <message>
        <source>a BatchNorm ({0})</source>
        <translation>una BatchNorm ({0})</translation>
    </message>
    <message>
        <source>a ReLU ({0})</source>
        <translation>una ReLU ({0})</translation>
    </message>
    <message>
        <source>a colour image</source>
        <translation>una imagen en color</translation>
    </message>
    <message>
        <source>a colour picture</source>
        <translation>una imagen en color</translation>
    </message>
    <message>
        <source>a convolution ({0})</source>
        <translation>una convolución ({0})</translation>
    </message>
    <message>
        <source>a field cannot be checked: {0}</source>
        <translation>un campo no se puede comprobar: {0}</translation>
    </message>
    <message>
        <source>a file of several pictures</source>
        <translation>un archivo con varias imágenes</translation>
    </message>
    <message>
        <source>a header without an image</source>
        <translation>una cabecera sin imagen</translation>
    </message>
    <message>
        <source>a map being copied ({0})</source>
        <translation>la copia de un mapa ({0})</translation>
    </message>
    <message>
        <source>a picture of numbers that are no grey values of 16 bits</source>
        <translation>una imagen de números que no son niveles de gris de 16 bits</translation>
    </message>
    <message>
        <source>a picture that is partly transparent</source>
        <translation>una imagen parcialmente transparente</translation>
    </message>
    <message>
        <source>a picture without grey values</source>
        <translation>una imagen sin niveles de gris</translation>
    </message>
    <message>
        <source>a series of images in one file (multi-frame)</source>
        <translation>una serie de imágenes en un solo archivo (multiframe)</translation>
    </message>
    <message>
        <source>an image of floating-point numbers</source>
        <translation>una imagen de números en coma flotante</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>vuelta</translation>
    </message>
    <message>
        <source>bf16 was asked for, but on this device it is not faster than fp32 (× {0}): using fp32.</source>
        <translation>se pidió bf16, pero en este dispositivo no es más rápido que fp32 (× {0}): se usa fp32.</translation>
    </message>
    <message>
        <source>data: say which folder to train on.</source>
        <translation>data: indique con qué carpeta entrenar.</translation>
    </message>
    <message>
        <source>data_licence: write at most {0} characters, without tabs and other signs that cannot be printed.</source>
        <translation>data_licence: escriba como máximo {0} caracteres, sin tabuladores ni otros signos que no se puedan imprimir.</translation>
    </message>
    <message>
        <source>evaluation</source>
        <translation>evaluación</translation>
    </message>
    <message>
        <source>exponent</source>
        <translation>exponente</translation>
    </message>
    <message>
        <source>fit {0}: choose an amount of memory such as 4GiB, or {1}.</source>
        <translation>fit {0}: elija una cantidad de memoria como 4GiB, o {1}.</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>ida</translation>
    </message>
    <message>
        <source>fraction of M</source>
        <translation>fracción de M</translation>
    </message>
    <message>
        <source>fraction of the output</source>
        <translation>fracción de la salida</translation>
    </message>
    <message>
        <source>fraction of the range</source>
        <translation>fracción del intervalo</translation>
    </message>
    <message>
        <source>has no partner of the same name in {0}/.</source>
        <translation>no tiene pareja con el mismo nombre en {0}/.</translation>
    </message>
    <message>
        <source>has no partner.</source>
        <translation>no tiene pareja.</translation>
    </message>
    <message>
        <source>in the {0} phase, by {1}</source>
        <translation>en la fase de {0}, por {1}</translation>
    </message>
    <message>
        <source>is of opposite polarity to its reference, where MS-SSIM has no gradient; invert one of the two.</source>
        <translation>tiene la polaridad opuesta a su referencia, donde MS-SSIM no tiene gradiente; invierta una de las dos.</translation>
    </message>
    <message>
        <source>is one of several that differ in their suffix or in capital letters: its partner is not clear.</source>
        <translation>es una de varias que difieren en la extensión o en las mayúsculas: no está claro cuál es su pareja.</translation>
    </message>
    <message>
        <source>is one of {0} + {1} images of one view: which belong together is not clear.</source>
        <translation>es una de {0} + {1} imágenes de una misma proyección: no está claro cuáles van juntas.</translation>
    </message>
    <message>
        <source>is {0} pixels wide at this size; MS-SSIM needs {1}: choose a larger size.</source>
        <translation>mide {0} píxeles de ancho con este tamaño; MS-SSIM necesita {1}: elija un tamaño mayor.</translation>
    </message>
    <message>
        <source>it takes {0}, at {1} times the chosen plan&apos;s time.</source>
        <translation>ocupa {0}, con {1} veces el tiempo del plan elegido.</translation>
    </message>
    <message>
        <source>its matrix is {0}×{1}, its reference&apos;s {2}×{3}.</source>
        <translation>su matriz es {0}×{1}; la de su referencia, {2}×{3}.</translation>
    </message>
    <message>
        <source>its source is not there any more, or gives another image now.</source>
        <translation>su original ya no está o ahora da otra imagen.</translation>
    </message>
    <message>
        <source>logistic slope</source>
        <translation>pendiente logística</translation>
    </message>
    <message>
        <source>maps being added ({0})</source>
        <translation>la suma de mapas ({0})</translation>
    </message>
    <message>
        <source>maps being joined ({0})</source>
        <translation>la unión de mapas ({0})</translation>
    </message>
    <message>
        <source>no DICOM file and no image that Fullfield knows</source>
        <translation>un archivo que no es DICOM ni una imagen que Fullfield conozca</translation>
    </message>
    <message>
        <source>no NVIDIA GPU with a driver was found.</source>
        <translation>no se ha encontrado ninguna GPU de NVIDIA con controlador.</translation>
    </message>
    <message>
        <source>no ordinary file</source>
        <translation>un archivo que no es normal</translation>
    </message>
    <message>
        <source>noise SDs</source>
        <translation>desviaciones típicas del ruido</translation>
    </message>
    <message>
        <source>on images of this part and kind it was not found better</source>
        <translation>en imágenes de esta región y de este tipo no se halló que fuera mejor</translation>
    </message>
    <message>
        <source>pairs.csv is not a table in UTF-8.</source>
        <translation>pairs.csv no es una tabla en UTF-8.</translation>
    </message>
    <message>
        <source>processed</source>
        <translation>procesada</translation>
    </message>
    <message>
        <source>processed input, and raw-like input simulated from it</source>
        <translation>entrada procesada, y entrada similar a la imagen sin procesar simulada a partir de ella</translation>
    </message>
    <message>
        <source>ratio</source>
        <translation>cociente</translation>
    </message>
    <message>
        <source>ratio, coarsest level first</source>
        <translation>cociente, primero el nivel más grueso</translation>
    </message>
    <message>
        <source>ratio, finest level first</source>
        <translation>cociente, primero el nivel más fino</translation>
    </message>
    <message>
        <source>raw</source>
        <translation>sin procesar</translation>
    </message>
    <message>
        <source>raw and processed input</source>
        <translation>entrada sin procesar y procesada</translation>
    </message>
    <message>
        <source>raw image</source>
        <translation>imagen sin procesar</translation>
    </message>
    <message>
        <source>room for a result ({0})</source>
        <translation>el espacio para un resultado ({0})</translation>
    </message>
    <message>
        <source>shows JPEG blocks, which the processor would amplify; train at a smaller size, or on the image itself.</source>
        <translation>muestra bloques JPEG, que el procesador amplificaría; entrene con un tamaño menor, o con la propia imagen.</translation>
    </message>
    <message>
        <source>size {0}: MS-SSIM needs more than 160 px a side; the nearest that works is {1}.</source>
        <translation>size {0}: MS-SSIM necesita más de 160 px de lado; el tamaño más cercano que sirve es {1}.</translation>
    </message>
    <message>
        <source>size {0}: choose a number of pixels or {1}.</source>
        <translation>size {0}: elija un número de píxeles o {1}.</translation>
    </message>
    <message>
        <source>size {0}: {1} pixels are the most that is trained at; the nearest that works is {2}.</source>
        <translation>size {0}: se entrena con {1} píxeles como máximo; el tamaño más cercano que sirve es {2}.</translation>
    </message>
    <message>
        <source>ssh says: {0}.</source>
        <translation>ssh dice: {0}.</translation>
    </message>
    <message>
        <source>techniques: give a list of names.</source>
        <translation>techniques: indique una lista de nombres.</translation>
    </message>
    <message>
        <source>the NVIDIA driver {0} is here, but it finds no GPU.</source>
        <translation>está el controlador de NVIDIA {0}, pero no encuentra ninguna GPU.</translation>
    </message>
    <message>
        <source>the gradients of a BatchNorm ({0})</source>
        <translation>los gradientes de una BatchNorm ({0})</translation>
    </message>
    <message>
        <source>the gradients of a convolution ({0})</source>
        <translation>los gradientes de una convolución ({0})</translation>
    </message>
    <message>
        <source>there is a GPU ({0}), but it is too old for this torch (compute capability {1}.{2}, needed {3}).</source>
        <translation>hay una GPU ({0}), pero es demasiado antigua para este torch (capacidad de cómputo {1}.{2}, necesaria {3}).</translation>
    </message>
    <message>
        <source>there is a GPU ({0}), but its driver {1} is too old: it runs CUDA {2}.{3}, this torch needs {4}. Update the NVIDIA driver.</source>
        <translation>hay una GPU ({0}), pero su controlador {1} es demasiado antiguo: admite CUDA {2}.{3}, y este torch necesita {4}. Actualice el controlador de NVIDIA.</translation>
    </message>
    <message>
        <source>there is a GPU ({0}), but this torch was built without CUDA; install a build with CUDA to use it.</source>
        <translation>hay una GPU ({0}), pero este torch se compiló sin CUDA; instale una versión con CUDA para usarla.</translation>
    </message>
    <message>
        <source>there is a GPU ({0}), but torch cannot use it{1}.</source>
        <translation>hay una GPU ({0}), pero torch no puede usarla{1}.</translation>
    </message>
    <message>
        <source>too small, {0} by {1} pixels</source>
        <translation>demasiado pequeño, {0} por {1} píxeles</translation>
    </message>
    <message>
        <source>torch.compile needs Python&apos;s C headers (Python.h), and they are not installed.</source>
        <translation>torch.compile necesita las cabeceras de C de Python (Python.h), que no están instaladas.</translation>
    </message>
    <message>
        <source>torch.compile needs a C++ compiler, and {0} is not installed.</source>
        <translation>torch.compile necesita un compilador de C++, y {0} no está instalado.</translation>
    </message>
    <message>
        <source>trial on 89 radiographs, then by eye</source>
        <translation>prueba con 89 radiografías, después a ojo</translation>
    </message>
    <message>
        <source>update</source>
        <translation>actualización</translation>
    </message>
    <message>
        <source>what is bright and what is dark is not as in the image</source>
        <translation>lo claro y lo oscuro no son como en la imagen</translation>
    </message>
    <message>
        <source>{0} GPUs share the work: {1}.</source>
        <translation>{0} GPU se reparten el trabajo: {1}.</translation>
    </message>
    <message>
        <source>{0} It finds no GPU.</source>
        <translation>{0} No encuentra ninguna GPU.</translation>
    </message>
    <message>
        <source>{0} MB of them are here already.</source>
        <translation>{0} MB de ellos ya están aquí.</translation>
    </message>
    <message>
        <source>{0} Names with accents may not be found.</source>
        <translation>{0} Puede que no se encuentren nombres con acentos.</translation>
    </message>
    <message>
        <source>{0} Other users of this computer can read it.</source>
        <translation>{0} Otros usuarios de este equipo pueden leerla.</translation>
    </message>
    <message>
        <source>{0} Presets compute on the CPU in any case.</source>
        <translation>{0} Los ajustes predefinidos calculan siempre en la CPU.</translation>
    </message>
    <message>
        <source>{0} That is little.</source>
        <translation>{0} Es poco.</translation>
    </message>
    <message>
        <source>{0} Training works without it, with a slower loss.</source>
        <translation>{0} El entrenamiento funciona sin él, con una pérdida más lenta.</translation>
    </message>
    <message>
        <source>{0} does not divide the network among {1} processes.</source>
        <translation>{0} no divide la red entre {1} procesos.</translation>
    </message>
    <message>
        <source>{0} files can be read, and no pair is among them.</source>
        <translation>Se pueden leer {0} archivos, y entre ellos no hay ningún par.</translation>
    </message>
    <message>
        <source>{0} has no options.</source>
        <translation>{0} no tiene opciones.</translation>
    </message>
    <message>
        <source>{0} is an option of {1}.</source>
        <translation>{0} es una opción de {1}.</translation>
    </message>
    <message>
        <source>{0} is named twice.</source>
        <translation>{0} se nombra dos veces.</translation>
    </message>
    <message>
        <source>{0} is no parameter.</source>
        <translation>{0} no es un parámetro.</translation>
    </message>
    <message>
        <source>{0} is not among the transfer syntaxes that Fullfield decodes.</source>
        <translation>{0} no está entre las sintaxis de transferencia que Fullfield descodifica.</translation>
    </message>
    <message>
        <source>{0} more problems of the data are listed in summary.json.</source>
        <translation>En summary.json figuran otros {0} problemas de los datos.</translation>
    </message>
    <message>
        <source>{0} needs {1}.</source>
        <translation>{0} necesita {1}.</translation>
    </message>
    <message>
        <source>{0} of them, by those with least memory, take {1} times as long as all ({2}).</source>
        <translation>{0} de ellas, contando con las de menos memoria, tardan {1} veces lo que todas ({2}).</translation>
    </message>
    <message>
        <source>{0} of {1} MB were sent to {2}.</source>
        <translation>Se enviaron {0} de {1} MB hacia {2}.</translation>
    </message>
    <message>
        <source>{0} of {1} processes have met.</source>
        <translation>Se han encontrado {0} de {1} procesos.</translation>
    </message>
    <message>
        <source>{0} processes share the rows of each image (spatial): a batch has fewer images than there are cards.</source>
        <translation>{0} procesos se reparten las filas de cada imagen (spatial): un lote tiene menos imágenes que tarjetas hay.</translation>
    </message>
    <message>
        <source>{0} tensors hold values that are not finite, first {1}.</source>
        <translation>{0} tensores contienen valores que no son finitos; el primero, {1}.</translation>
    </message>
    <message>
        <source>{0} was asked for.</source>
        <translation>Se pidió {0}.</translation>
    </message>
    <message>
        <source>{0} was not reached, or broke off ({1}).</source>
        <translation>No se ha podido conectar con {0} o se ha cortado la conexión ({1}).</translation>
    </message>
    <message>
        <source>{0} {1} It is not tried again.</source>
        <translation>{0} {1} No se intenta de nuevo.</translation>
    </message>
    <message>
        <source>{0} {1} is not the file that this version was tested with: it was damaged on its way, or exchanged.</source>
        <translation>{0} {1} no es el archivo con el que se probó esta versión: se dañó por el camino o se cambió.</translation>
    </message>
    <message>
        <source>{0} {1}, {2} free.</source>
        <translation>{0} {1}, {2} libres.</translation>
    </message>
    <message>
        <source>{0} {1}: choose a number from {2} to {3}.</source>
        <translation>{0} {1}: elija un número de {2} a {3}.</translation>
    </message>
    <message>
        <source>{0} {1}: choose a whole number from {2} to {3}.</source>
        <translation>{0} {1}: elija un número entero de {2} a {3}.</translation>
    </message>
    <message>
        <source>{0} {1}: choose true or false.</source>
        <translation>{0} {1}: elija true o false.</translation>
    </message>
    <message>
        <source>{0} {1}: choose {2}.</source>
        <translation>{0} {1}: elija {2}.</translation>
    </message>
    <message>
        <source>{0}, for CUDA up to {1}.{2}.</source>
        <translation>{0}, para CUDA hasta {1}.{2}.</translation>
    </message>
    <message>
        <source>{0}, of which {1} are free.</source>
        <translation>{0}, de los cuales {1} están libres.</translation>
    </message>
    <message>
        <source>{0}: writable, {1} free on its disk.</source>
        <translation>{0}: permite escribir, {1} libres en su disco.</translation>
    </message>
    <message>
        <source>{0}, {1} cores, {2} threads for Fullfield.</source>
        <translation>{0}, {1} núcleos, {2} hilos para Fullfield.</translation>
    </message>
    <message>
        <source>{0}, {1}, Python {2}.</source>
        <translation>{0}, {1}, Python {2}.</translation>
    </message>
    <message>
        <source>{0}, {1}, of which {2} are free; compute capability {3}.</source>
        <translation>{0}, {1}, de los cuales {2} están libres; capacidad de cómputo {3}.</translation>
    </message>
    <message>
        <source>{0}, {1}, {2} threads.</source>
        <translation>{0}, {1}, {2} hilos.</translation>
    </message>
    <message>
        <source>{0}, {1}; file names in {2}.</source>
        <translation>{0}, {1}; nombres de archivo en {2}.</translation>
    </message>
    <message>
        <source>{0}: is empty.</source>
        <translation>{0}: está vacío.</translation>
    </message>
</context>
<context>
    <name>duration</name>
    <message>
        <source>less than a minute</source>
        <translation>menos de un minuto</translation>
    </message>
    <message>
        <source>{steps} That {members} times, one member after another.</source>
        <translation>{steps} Eso {members} veces, un miembro tras otro.</translation>
    </message>
    <message>
        <source>{steps} That {members} times, shared by {machines} machines.</source>
        <translation>{steps} Eso {members} veces, repartido entre {machines} equipos.</translation>
    </message>
</context>
<context>
    <name>exports</name>
    <message>
        <source>DICOM, full data</source>
        <translation>DICOM, datos completos</translation>
    </message>
    <message>
        <source>PNG, full data</source>
        <translation>PNG, datos completos</translation>
    </message>
    <message>
        <source>TIFF, full data</source>
        <translation>TIFF, datos completos</translation>
    </message>
    <message>
        <source>PNG, as displayed</source>
        <translation>PNG, como se muestra</translation>
    </message>
    <message>
        <source>TIFF, as displayed</source>
        <translation>TIFF, como se muestra</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Antes</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Después</translation>
    </message>
    <message>
        <source>It opens with the window as displayed.</source>
        <translation>Se abre con la ventana que se muestra.</translation>
    </message>
    <message>
        <source>Full data: all enhanced values at native size; window, inversion and turn are not applied.</source>
        <translation>Datos completos: todos los valores realzados en el tamaño original; no se aplican la ventana, la inversión ni el giro.</translation>
    </message>
    <message>
        <source>Full data: all enhanced values in 16 bits at native size; window, inversion and turn are not applied.</source>
        <translation>Datos completos: todos los valores realzados en 16 bits y en el tamaño original; no se aplican la ventana, la inversión ni el giro.</translation>
    </message>
    <message>
        <source>As displayed: the whole image in 8 bits at native size, with your window, inversion and turn.</source>
        <translation>Como se muestra: la imagen entera en 8 bits y en el tamaño original, con su ventana, inversión y giro.</translation>
    </message>
    <message>
        <source>With the mark “not for diagnosis”.</source>
        <translation>Con la marca «no apta para el diagnóstico».</translation>
    </message>
    <message>
        <source>Without the mark.</source>
        <translation>Sin la marca.</translation>
    </message>
</context>
<context>
    <name>facts</name>
    <message>
        <source>Best validation loss</source>
        <translation>Mejor pérdida de validación</translation>
    </message>
    <message>
        <source>Its quality</source>
        <translation>Su calidad</translation>
    </message>
    <message>
        <source>Members</source>
        <translation>Miembros</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>Épocas</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Pasos</translation>
    </message>
    <message>
        <source>Time per epoch</source>
        <translation>Tiempo por época</translation>
    </message>
    <message>
        <source>Time left</source>
        <translation>Tiempo restante</translation>
    </message>
    <message>
        <source>Time so far</source>
        <translation>Tiempo hasta ahora</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>Duración</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>Guardado</translation>
    </message>
    <message>
        <source>Most memory held</source>
        <translation>Memoria máxima ocupada</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>Máquina</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Dispositivo</translation>
    </message>
    <message>
        <source>Processes</source>
        <translation>Procesos</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>Precisión</translation>
    </message>
    <message>
        <source>Techniques</source>
        <translation>Técnicas</translation>
    </message>
    <message>
        <source>Image size</source>
        <translation>Tamaño de imagen</translation>
    </message>
    <message>
        <source>Images per step</source>
        <translation>Imágenes por paso</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Red</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Datos</translation>
    </message>
    <message>
        <source>Begun</source>
        <translation>Comienzo</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>Versión</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notas</translation>
    </message>
    <message>
        <source>{loss} in epoch {epoch}</source>
        <translation>{loss} en la época {epoch}</translation>
    </message>
    <message>
        <source>PSNR {psnr} dB; finest detail {share} of the reference&apos;s</source>
        <translation>PSNR {psnr} dB; detalle más fino: {share} respecto a la referencia</translation>
    </message>
    <message>
        <source>about {time}</source>
        <translation>cerca de {time}</translation>
    </message>
    <message>
        <source>after step {step}</source>
        <translation>tras el paso {step}</translation>
    </message>
    <message>
        <source>U-Net, {encoder}</source>
        <translation>U-Net, {encoder}</translation>
    </message>
    <message>
        <source>{count} of {total}</source>
        <translation>{count} de {total}</translation>
    </message>
</context>
<context>
    <name>grading</name>
    <message>
        <source>Original</source>
        <translation>Original</translation>
    </message>
    <message>
        <source>As enhanced in the list</source>
        <translation>Como se realzó en la lista</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automático</translation>
    </message>
    <message>
        <source>{title}, changed</source>
        <translation>{title}, modificado</translation>
    </message>
    <message>
        <source>Criterion</source>
        <translation>Criterio</translation>
    </message>
    <message>
        <source>Pairs</source>
        <translation>Pares</translation>
    </message>
    <message>
        <source>Mean (95 %)</source>
        <translation>Media (95 %)</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>Mediana</translation>
    </message>
    <message>
        <source>Better / equal / worse</source>
        <translation>Mejor / igual / peor</translation>
    </message>
    <message>
        <source>p</source>
        <translation>p</translation>
    </message>
    <message>
        <source>too few</source>
        <translation>muy pocos</translation>
    </message>
    <message>
        <source>A score above 0 means that “{test}” was better than “{reference}”.</source>
        <translation>Una puntuación mayor que 0 significa que «{test}» fue mejor que «{reference}».</translation>
    </message>
    <message>
        <source>Too few pairs differ in {few} of {count} criteria to say anything with a test: at least {fewest} are needed, and 20 or more are advisable.</source>
        <translation>En {few} de {count} criterios difieren demasiado pocos pares para decir algo con una prueba estadística: hacen falta al menos {fewest}, y son aconsejables 20 o más.</translation>
    </message>
    <message>
        <source>{count} criteria were tested: to hold for all together, a p should be below {level} (Bonferroni).</source>
        <translation>Se han contrastado {count} criterios: para que valga para todos en conjunto, p debería ser menor que {level} (Bonferroni).</translation>
    </message>
    <message>
        <source>Blind grading of {date}</source>
        <translation>Valoración a ciegas del {date}</translation>
    </message>
    <message>
        <source>First version: {name}</source>
        <translation>Primera versión: {name}</translation>
    </message>
    <message>
        <source>Second version: {name}</source>
        <translation>Segunda versión: {name}</translation>
    </message>
    <message>
        <source>Pairs: {count}</source>
        <translation>Pares: {count}</translation>
    </message>
    <message>
        <source>Readers: {count}</source>
        <translation>Lectores: {count}</translation>
    </message>
    <message>
        <source>Criteria: {source}</source>
        <translation>Criterios: {source}</translation>
    </message>
    <message>
        <source>No answer.</source>
        <translation>Sin respuesta.</translation>
    </message>
    <message>
        <source>pairs {pairs}; mean {mean}; median {median}</source>
        <translation>pares {pairs}; media {mean}; mediana {median}</translation>
    </message>
    <message>
        <source>answers {scores}</source>
        <translation>respuestas {scores}</translation>
    </message>
    <message>
        <source>better / equal / worse: {shares}</source>
        <translation>mejor / igual / peor: {shares}</translation>
    </message>
    <message>
        <source>1 pair differs: too few for a test.</source>
        <translation>1 par difiere: demasiado pocos para una prueba estadística.</translation>
    </message>
    <message>
        <source>{count} pairs differ: too few for a test.</source>
        <translation>Pares que difieren: {count}, demasiado pocos para una prueba estadística.</translation>
    </message>
    <message>
        <source>second version preferred in {hits} of {count} pairs that differ (95 %: {low} to {high})</source>
        <translation>segunda versión preferida en {hits} de {count} pares que difieren (95 %: de {low} a {high})</translation>
    </message>
    <message>
        <source>Wilcoxon signed-rank test, exact, two-sided: p = {p}</source>
        <translation>Prueba de los rangos con signo de Wilcoxon, exacta, bilateral: p = {p}</translation>
    </message>
    <message>
        <source>{low} to {high}</source>
        <translation>{low} a {high}</translation>
    </message>
    <message>
        <source>Each pair counts once: where several readers graded it, with the mean of their scores. Intervals of means are percentiles of 10,000 bootstrap samples, those of shares are Clopper and Pearson&apos;s. Pairs with the score 0 take no part in the test.</source>
        <translation>Cada par cuenta una vez: si lo valoraron varios lectores, con la media de sus puntuaciones. Los intervalos de las medias son percentiles de 10 000 muestras bootstrap; los de las proporciones, los de Clopper y Pearson. Los pares con puntuación 0 no entran en la prueba.</translation>
    </message>
    <message>
        <source>The model is not offered for use: an earlier version of Fullfield wrote this grading, which does not tell which file of the model was graded.</source>
        <translation>No se ofrece usar el modelo: una versión anterior de Fullfield escribió esta valoración, que no dice qué archivo del modelo se valoró.</translation>
    </message>
    <message>
        <source>The model is not offered for use: its file is another one now than when it was graded, or is gone.</source>
        <translation>No se ofrece usar el modelo: su archivo es ahora otro que cuando se valoró, o ya no está.</translation>
    </message>
</context>
<context>
    <name>grouping</name>
    <message>
        <source>Opening…</source>
        <translation>Abriendo…</translation>
    </message>
    <message>
        <source>Not opened</source>
        <translation>Sin abrir</translation>
    </message>
    <message>
        <source>Without patient data</source>
        <translation>Sin datos del paciente</translation>
    </message>
    <message>
        <source>Patient {number}</source>
        <translation>Paciente {number}</translation>
    </message>
    <message>
        <source>Study {number}</source>
        <translation>Estudio {number}</translation>
    </message>
    <message>
        <source>Series {number}</source>
        <translation>Serie {number}</translation>
    </message>
</context>
<context>
    <name>happening</name>
    <message>
        <source>Reading what the run has told so far…</source>
        <translation>Leyendo lo que el entrenamiento ha comunicado hasta ahora…</translation>
    </message>
    <message>
        <source>It is held up by the system or a library. If that lasts, cancel it and go on from what is saved.</source>
        <translation>Lo retiene el sistema o una biblioteca. Si se prolonga, cancélelo y continúe desde lo guardado.</translation>
    </message>
    <message>
        <source>The worker gives no sign of life.</source>
        <translation>El proceso de trabajo no da señales de vida.</translation>
    </message>
    <message>
        <source>It pauses after the step in hand; its memory is free then.</source>
        <translation>Se pausa después del paso en curso; entonces su memoria queda libre.</translation>
    </message>
    <message>
        <source>The run is pausing…</source>
        <translation>El entrenamiento se está pausando…</translation>
    </message>
    <message>
        <source>It ends after the step in hand, and keeps what it has.</source>
        <translation>Termina tras el paso actual y conserva lo que tiene.</translation>
    </message>
    <message>
        <source>The run is ending…</source>
        <translation>El entrenamiento está terminando…</translation>
    </message>
    <message>
        <source>There is no line to the machine that trains.</source>
        <translation>No hay conexión con la máquina que entrena.</translation>
    </message>
    <message>
        <source>The others go on. Why, its own run in the list says.</source>
        <translation>Los demás continúan. El motivo está en su propia ejecución, en la lista.</translation>
    </message>
    <message>
        <source>Its memory is free. It goes on exactly where it was when you resume it.</source>
        <translation>Su memoria está libre. Al reanudarlo, continúa exactamente donde estaba.</translation>
    </message>
    <message>
        <source>The run is paused.</source>
        <translation>El entrenamiento está en pausa.</translation>
    </message>
    <message>
        <source>The training&apos;s process ended without a word before it had saved anything; most often that is want of memory. It goes on{place}.</source>
        <translation>El proceso del entrenamiento terminó sin decir nada antes de haber guardado algo; lo más frecuente es que falte memoria. Sigue{place}.</translation>
    </message>
    <message>
        <source>A step needed more memory than was free. The training goes on by itself{place}.</source>
        <translation>Un paso necesitó más memoria de la que había libre. El entrenamiento continúa por sí solo{place}.</translation>
    </message>
    <message>
        <source> from step {step}, the last that was saved</source>
        <translation> desde el paso {step}, el último que se guardó</translation>
    </message>
    <message>
        <source> from its first step</source>
        <translation> desde su primer paso</translation>
    </message>
    <message>
        <source>From now on: {techniques}.</source>
        <translation>Desde ahora: {techniques}.</translation>
    </message>
    <message>
        <source>No longer: {techniques}.</source>
        <translation>Ya no: {techniques}.</translation>
    </message>
    <message>
        <source>If memory runs out again, {count} more ways are left.</source>
        <translation>Si la memoria vuelve a agotarse, quedan {count} maneras más.</translation>
    </message>
    <message>
        <source>If memory runs out again, one more way is left.</source>
        <translation>Si la memoria vuelve a agotarse, queda una manera más.</translation>
    </message>
    <message>
        <source>This is the last way: if memory runs out again, the training ends.</source>
        <translation>Esta es la última manera: si la memoria vuelve a agotarse, el entrenamiento termina.</translation>
    </message>
    <message>
        <source>Memory seems to have run out; the training goes on in less.</source>
        <translation>Parece que faltó memoria; el entrenamiento sigue con menos.</translation>
    </message>
    <message>
        <source>Memory ran out; the training goes on in less.</source>
        <translation>La memoria se agotó; el entrenamiento continúa con menos.</translation>
    </message>
    <message>
        <source>It needs about {less} instead of {more}.</source>
        <translation>Necesita cerca de {less} en lugar de {more}.</translation>
    </message>
    <message>
        <source>A step takes about {factor} times as long; the result is the same.</source>
        <translation>Un paso tarda unas {factor} veces lo que antes; el resultado es el mismo.</translation>
    </message>
    <message>
        <source>All up to step {step} is saved: resume it, or look at its report.</source>
        <translation>Todo está guardado hasta el paso {step}: reanúdelo, o consulte su informe.</translation>
    </message>
    <message>
        <source>Nothing had been saved yet: resume it to begin anew, or delete it.</source>
        <translation>Aún no se había guardado nada: reanúdelo para empezar de nuevo, o elimínelo.</translation>
    </message>
    <message>
        <source>The last run ended unexpectedly.</source>
        <translation>El último entrenamiento terminó de forma inesperada.</translation>
    </message>
</context>
<context>
    <name>hints</name>
    <message>
        <source>Choose a smaller size or batch in Train, or close other programs.</source>
        <translation>Elija un tamaño o un lote menor en Entrenar, o cierre otros programas.</translation>
    </message>
    <message>
        <source>Choose other first weights in Train, or none.</source>
        <translation>Elija otros pesos iniciales en Entrenar, o ninguno.</translation>
    </message>
    <message>
        <source>Click Resume: what was saved is kept.</source>
        <translation>Pulse Reanudar: lo guardado se conserva.</translation>
    </message>
    <message>
        <source>Most often that is want of memory: close other programs and click Resume. For a smaller size or batch, or fewer devices, start a new training.</source>
        <translation>Casi siempre es falta de memoria: cierre otros programas y pulse Reanudar. Para un tamaño o un lote menor, o menos dispositivos, inicie un entrenamiento nuevo.</translation>
    </message>
    <message>
        <source>Close other programs and click Resume: the last checkpoint is kept. For a smaller size or batch, or with a tick at “If memory runs out, go on with less”, start a new training.</source>
        <translation>Cierre otros programas y pulse Reanudar: el último punto de control se conserva. Para un tamaño o un lote menor, o con la casilla «Si se agota la memoria, seguir con menos» marcada, inicie un entrenamiento nuevo.</translation>
    </message>
    <message>
        <source>Connect the folder of images as it was, then click Resume; or start a new training.</source>
        <translation>Conecte la carpeta de imágenes como estaba y pulse Reanudar; o inicie un entrenamiento nuevo.</translation>
    </message>
    <message>
        <source>Have that limit raised, then click Resume.</source>
        <translation>Pida que suban ese límite y pulse Reanudar.</translation>
    </message>
    <message>
        <source>Free some space, then click Resume.</source>
        <translation>Libere espacio y pulse Reanudar.</translation>
    </message>
    <message>
        <source>Check the disk, the network and your permissions, then click Resume: nothing was removed.</source>
        <translation>Compruebe el disco, la red y sus permisos, y pulse Reanudar: no se eliminó nada.</translation>
    </message>
    <message>
        <source>Choose its file as the first weights in Train.</source>
        <translation>Elija su archivo como pesos iniciales en Entrenar.</translation>
    </message>
    <message>
        <source>Choose another encoder in Train.</source>
        <translation>Elija otro codificador en Entrenar.</translation>
    </message>
    <message>
        <source>Close other programs, and try again.</source>
        <translation>Cierre otros programas y vuelva a intentarlo.</translation>
    </message>
    <message>
        <source>Choose a model trained at this scale, train one at native size, or use a preset; the image was not resized.</source>
        <translation>Elija un modelo entrenado a esta escala, entrene uno a tamaño nativo, o use un ajuste predefinido; la imagen no se ha cambiado de tamaño.</translation>
    </message>
    <message>
        <source>Holding a model against others takes images of at least three patients: add images of others, or begin the training in Train.</source>
        <translation>Comparar un modelo con otros requiere imágenes de al menos tres pacientes: añada imágenes de otros o inicie el entrenamiento en Entrenar.</translation>
    </message>
    <message>
        <source>Add images of other patients, or begin the training in Train.</source>
        <translation>Añada imágenes de otros pacientes o inicie el entrenamiento en Entrenar.</translation>
    </message>
    <message>
        <source>Train on the images themselves, or begin the training in Train.</source>
        <translation>Entrene con las propias imágenes o inicie el entrenamiento en Entrenar.</translation>
    </message>
    <message>
        <source>Resume it on that machine in Runs, and stop it there.</source>
        <translation>Reanúdelo en esa máquina desde Entrenamientos y deténgalo allí.</translation>
    </message>
    <message>
        <source>Choose in Train the first weights that it was begun with, or start a new training.</source>
        <translation>Elija en Entrenar los pesos iniciales con los que empezó o inicie un entrenamiento nuevo.</translation>
    </message>
    <message>
        <source>Take away their ticks in Train.</source>
        <translation>Quite sus marcas en Entrenar.</translation>
    </message>
</context>
<context>
    <name>image_row</name>
    <message>
        <source>This image is no longer there.</source>
        <translation>Esta imagen ya no está.</translation>
    </message>
</context>
<context>
    <name>keys</name>
    <message>
        <source>Everywhere</source>
        <translation>En todas partes</translation>
    </message>
    <message>
        <source>Press the key first.</source>
        <translation>Pulse primero la tecla.</translation>
    </message>
    <message>
        <source>{key} moves about in the window and presses its buttons: choose another.</source>
        <translation>{key} sirve para moverse por la ventana y pulsar sus botones: elija otra.</translation>
    </message>
    <message>
        <source>{key} is the key of “{action}” ({page}): take it away there first.</source>
        <translation>{key} es la tecla de «{action}» ({page}): quítela antes allí.</translation>
    </message>
</context>
<context>
    <name>machines</name>
    <message>
        <source>is being asked…</source>
        <translation>se le está preguntando…</translation>
    </message>
    <message>
        <source>not ready: {reason}</source>
        <translation>no está lista: {reason}</translation>
    </message>
    <message>
        <source>the queue of its cluster (SLURM)</source>
        <translation>la cola de su clúster (SLURM)</translation>
    </message>
    <message>
        <source>ready: {devices}; {versions}</source>
        <translation>lista: {devices}; {versions}</translation>
    </message>
    <message>
        <source>What stays here: all else of their headers, and every path and name of a file or folder.</source>
        <translation>Qué se queda aquí: todo lo demás de sus cabeceras, y toda ruta y todo nombre de archivo o carpeta.</translation>
    </message>
    <message>
        <source>There it lies in a folder that only you as its user, and its administrator, can read. It is deleted when the training is complete; else after a week, the next time that Fullfield is called there.</source>
        <translation>Allí está en una carpeta que solo puede leer usted, como su usuario, y quien administra la máquina. Se borra cuando el entrenamiento se completa; si no, al cabo de una semana, la próxima vez que se llame allí a Fullfield.</translation>
    </message>
    <message>
        <source>To train on {name}, the images are sent to {address}. What goes there: their pixels, with all that is written in the picture itself, such as a burned-in name; numbers: their sizes, the spacing of their pixels, their modality, a number in place of each patient, and checksums of the files, by which somebody who has the same file can recognise it; the settings of the training; and, where it begins from a model or goes on, the weights that it has.</source>
        <translation>Para entrenar en {name}, las imágenes se envían a {address}. Qué va allí: sus píxeles, con todo lo que está escrito en la propia imagen, como un nombre grabado en ella; números: sus tamaños, la distancia entre sus píxeles, su modalidad, un número en lugar de cada paciente y sumas de comprobación de los archivos, por las que quien tenga el mismo archivo puede reconocerlo; los ajustes del entrenamiento; y, si parte de un modelo o continúa, los pesos que tiene.</translation>
    </message>
    <message>
        <source>What you wrote of the data&apos;s licence, and what you call presets, models and machines, stays, too: it is put into what comes back.</source>
        <translation>Lo que usted escribió sobre la licencia de los datos, y los nombres que da a los preajustes, los modelos y las máquinas, también se quedan: se ponen en lo que vuelve.</translation>
    </message>
    <message>
        <source>{card} with {amount} free</source>
        <translation>{card} con {amount} libres</translation>
    </message>
    <message>
        <source>no card, {cores} cores, {amount} free</source>
        <translation>sin tarjeta, {cores} núcleos, {amount} libres</translation>
    </message>
    <message>
        <source>To enhance on {name}, the images are sent to {address}. What goes there: their pixels, with all that is written in the picture itself, such as a burned-in name; and numbers: their sizes, the spacing of their pixels, and the values of their windows. Where a model enhances, its weights go there, without its name and card.</source>
        <translation>Para realzar en {name}, las imágenes se envían a {address}. Qué va allí: sus píxeles, con todo lo que está escrito en la propia imagen, como un nombre grabado en ella; y números: sus tamaños, la distancia entre sus píxeles y los valores de sus ventanas. Donde realza un modelo, sus pesos van allí, sin su nombre ni su ficha.</translation>
    </message>
    <message>
        <source>There the images are in memory alone. A model lies in a folder that only you as its user, and its administrator, can read, until the last image is enhanced; where the machine fails, it is deleted after a week, the next time that Fullfield is called there.</source>
        <translation>Allí las imágenes están solo en la memoria. Un modelo está en una carpeta que solo puede leer usted, como su usuario, y quien administra la máquina, hasta que se realza la última imagen; si la máquina falla, se borra al cabo de una semana, la próxima vez que se llame allí a Fullfield.</translation>
    </message>
</context>
<context>
    <name>measure</name>
    <message>
        <source>quantity</source>
        <translation>magnitud</translation>
    </message>
    <message>
        <source>before</source>
        <translation>antes</translation>
    </message>
    <message>
        <source>after</source>
        <translation>después</translation>
    </message>
    <message>
        <source>after/before</source>
        <translation>después/antes</translation>
    </message>
    <message>
        <source>unit</source>
        <translation>unidad</translation>
    </message>
    <message>
        <source>area {region}</source>
        <translation>área {region}</translation>
    </message>
    <message>
        <source>length</source>
        <translation>longitud</translation>
    </message>
    <message>
        <source>px (shorter sides)</source>
        <translation>px (lados cortos)</translation>
    </message>
    <message>
        <source>Mean {region}</source>
        <translation>Media {region}</translation>
    </message>
    <message>
        <source>Mean of the values of the file in this region. In some files, high is dark.</source>
        <translation>Media de los valores del archivo en esta región. En algunos archivos, lo alto es oscuro.</translation>
    </message>
    <message>
        <source>SD {region}</source>
        <translation>DE {region}</translation>
    </message>
    <message>
        <source>Standard deviation of the values in this region.</source>
        <translation>Desviación estándar de los valores en esta región.</translation>
    </message>
    <message>
        <source>SNR {region}</source>
        <translation>SNR {region}</translation>
    </message>
    <message>
        <source>Signal-to-noise ratio: mean over SD of this region.</source>
        <translation>Relación señal-ruido: media entre DE de esta región.</translation>
    </message>
    <message>
        <source>CNR</source>
        <translation>CNR</translation>
    </message>
    <message>
        <source>Contrast-to-noise ratio of the two regions: |m1 − m2| / √((s1² + s2²) / 2), the difference of the means over the pooled SD (Cohen 1988).</source>
        <translation>Relación contraste-ruido de las dos regiones: |m1 − m2| / √((s1² + s2²) / 2), la diferencia de las medias entre la DE combinada (Cohen 1988).</translation>
    </message>
    <message>
        <source>Area {region}: {count} px</source>
        <translation>Área {region}: {count} px</translation>
    </message>
</context>
<context>
    <name>members</name>
    <message>
        <source>{count} of {total} members complete</source>
        <translation>{count} de {total} miembros completos</translation>
    </message>
    <message>
        <source>Member {number} has not begun</source>
        <translation>El miembro {number} no ha empezado</translation>
    </message>
    <message>
        <source>Member {number} on {place}</source>
        <translation>Miembro {number} en {place}</translation>
    </message>
    <message>
        <source>epoch {epoch} of {epochs}</source>
        <translation>época {epoch} de {epochs}</translation>
    </message>
</context>
<context>
    <name>memory</name>
    <message>
        <source>Weights</source>
        <translation>Pesos</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>Gradientes</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>Optimizador</translation>
    </message>
    <message>
        <source>Activations</source>
        <translation>Activaciones</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Pérdida</translation>
    </message>
    <message>
        <source>Workspace</source>
        <translation>Cálculo</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>Imágenes</translation>
    </message>
    <message>
        <source>Moved out</source>
        <translation>Trasladado</translation>
    </message>
    <message>
        <source>The program itself</source>
        <translation>El propio programa</translation>
    </message>
    <message>
        <source>Images that wait</source>
        <translation>Imágenes en espera</translation>
    </message>
    <message>
        <source>Reserve</source>
        <translation>Reserva</translation>
    </message>
</context>
<context>
    <name>menus</name>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Archivo</translation>
    </message>
    <message>
        <source>&amp;Image</source>
        <translation>&amp;Imagen</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ver</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>En&amp;trenamiento</translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation>I&amp;r</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>A&amp;yuda</translation>
    </message>
    <message>
        <source>Menus</source>
        <translation>Menús</translation>
    </message>
    <message>
        <source>Menu: {title}</source>
        <translation>Menú: {title}</translation>
    </message>
</context>
<context>
    <name>options</name>
    <message>
        <source>balanced</source>
        <translation>equilibrado</translation>
    </message>
    <message>
        <source>block</source>
        <translation>bloque</translation>
    </message>
    <message>
        <source>blocks</source>
        <translation>bloques</translation>
    </message>
    <message>
        <source>device</source>
        <translation>dispositivo</translation>
    </message>
    <message>
        <source>everything</source>
        <translation>todo</translation>
    </message>
    <message>
        <source>fewest</source>
        <translation>los mínimos</translation>
    </message>
    <message>
        <source>gpipe</source>
        <translation>gpipe</translation>
    </message>
    <message>
        <source>head</source>
        <translation>cabeza</translation>
    </message>
    <message>
        <source>host</source>
        <translation>ordenador</translation>
    </message>
    <message>
        <source>inductor</source>
        <translation>inductor</translation>
    </message>
    <message>
        <source>joint</source>
        <translation>juntas</translation>
    </message>
    <message>
        <source>linear</source>
        <translation>lineal</translation>
    </message>
    <message>
        <source>optimal</source>
        <translation>óptimo</translation>
    </message>
    <message>
        <source>own</source>
        <translation>propias</translation>
    </message>
    <message>
        <source>parts</source>
        <translation>partes</translation>
    </message>
    <message>
        <source>periodic</source>
        <translation>periódico</translation>
    </message>
    <message>
        <source>powersgd</source>
        <translation>powersgd</translation>
    </message>
    <message>
        <source>root</source>
        <translation>raíz</translation>
    </message>
    <message>
        <source>stage</source>
        <translation>etapa</translation>
    </message>
    <message>
        <source>stages</source>
        <translation>etapas</translation>
    </message>
    <message>
        <source>stem</source>
        <translation>entrada</translation>
    </message>
    <message>
        <source>topk</source>
        <translation>topk</translation>
    </message>
</context>
<context>
    <name>overlay</name>
    <message>
        <source>EI {index}</source>
        <translation>IE {index}</translation>
    </message>
    <message>
        <source>left</source>
        <translation>izquierda</translation>
    </message>
    <message>
        <source>right</source>
        <translation>derecha</translation>
    </message>
    <message>
        <source>both sides</source>
        <translation>ambos lados</translation>
    </message>
    <message>
        <source>DI {index}</source>
        <translation>desv. {index}</translation>
    </message>
</context>
<context>
    <name>parameters</name>
    <message>
        <source>finest level</source>
        <translation>nivel más fino</translation>
    </message>
    <message>
        <source>second level</source>
        <translation>segundo nivel</translation>
    </message>
    <message>
        <source>third level</source>
        <translation>tercer nivel</translation>
    </message>
    <message>
        <source>fourth level</source>
        <translation>cuarto nivel</translation>
    </message>
    <message>
        <source>coarsest level</source>
        <translation>nivel más grueso</translation>
    </message>
    <message>
        <source>second coarsest</source>
        <translation>segundo más grueso</translation>
    </message>
    <message>
        <source>third coarsest</source>
        <translation>tercero más grueso</translation>
    </message>
    <message>
        <source>fourth coarsest</source>
        <translation>cuarto más grueso</translation>
    </message>
    <message>
        <source>Detail</source>
        <translation>Detalle</translation>
    </message>
    <message>
        <source>Edges</source>
        <translation>Bordes</translation>
    </message>
    <message>
        <source>Latitude</source>
        <translation>Latitud</translation>
    </message>
    <message>
        <source>Noise</source>
        <translation>Ruido</translation>
    </message>
    <message>
        <source>Brightness and contrast</source>
        <translation>Brillo y contraste</translation>
    </message>
    <message>
        <source>Background</source>
        <translation>Fondo</translation>
    </message>
    <message>
        <source>How much weak structures of every size are lifted; 0 leaves them. All share one range of grey: the more they are lifted, the weaker is what containment takes for noise.</source>
        <translation>Cuánto se destacan las estructuras débiles de cada tamaño; 0 las deja como están. Todas comparten una misma gama de grises: cuanto más se destacan, más débil queda lo que la contención toma por ruido.</translation>
    </message>
    <message>
        <source>Below this part of the strongest edge the gain is constant: of little effect where few structures are that weak.</source>
        <translation>Por debajo de esta parte del borde más fuerte, la ganancia es constante: apenas se nota donde pocas estructuras son tan débiles.</translation>
    </message>
    <message>
        <source>What containment leaves of the gain at least. Below 0 noise itself is lowered by that share at most, and further as other detail is lifted, for all share one range of grey.</source>
        <translation>Lo que la contención deja, como mínimo, de la ganancia. Por debajo de 0 se reduce el propio ruido, como mucho en esa proporción, y aún más al destacarse otros detalles, pues todos comparten una misma gama de grises.</translation>
    </message>
    <message>
        <source>Up to this value direct exposure beside the body is kept dark. Nothing changes where none was found, or where it is dark already.</source>
        <translation>Hasta este valor, la exposición directa junto al cuerpo se mantiene oscura. Nada cambia donde no se ha encontrado o donde ya es oscura.</translation>
    </message>
    <message>
        <source>Amount</source>
        <translation>Intensidad</translation>
    </message>
    <message>
        <source>Fall towards strong edges</source>
        <translation>Caída en bordes fuertes</translation>
    </message>
    <message>
        <source>How fast the gain falls from weak structures to strong edges.</source>
        <translation>Con qué rapidez disminuye la ganancia de las estructuras débiles a los bordes fuertes.</translation>
    </message>
    <message>
        <source>Strongest edge</source>
        <translation>Borde más fuerte</translation>
    </message>
    <message>
        <source>Edges beyond it are not amplified at all.</source>
        <translation>Los bordes que lo superan no se amplifican en absoluto.</translation>
    </message>
    <message>
        <source>Least strongest edge</source>
        <translation>Mínimo del borde más fuerte</translation>
    </message>
    <message>
        <source>The smallest limit, for levels with little in them.</source>
        <translation>El límite más pequeño, para niveles con poco contenido.</translation>
    </message>
    <message>
        <source>Toe</source>
        <translation>Pie de la curva</translation>
    </message>
    <message>
        <source>Usual detail</source>
        <translation>Detalle habitual</translation>
    </message>
    <message>
        <source>How strong detail is, beside large structures, before any processing. An image with more is changed less.</source>
        <translation>Qué fuerza tiene el detalle, en relación con las estructuras grandes, antes de cualquier procesado. Una imagen con más se modifica menos.</translation>
    </message>
    <message>
        <source>Usual detail and texture</source>
        <translation>Detalle y textura habituales</translation>
    </message>
    <message>
        <source>How strong both are together before any processing. An image with more is changed less.</source>
        <translation>Cuán intensos son ambos en conjunto antes de todo procesado. Una imagen con más se modifica menos.</translation>
    </message>
    <message>
        <source>Sharpness</source>
        <translation>Nitidez</translation>
    </message>
    <message>
        <source>Added to the detail of the finest structures: trabeculae, vessels.</source>
        <translation>Se suma al detalle de las estructuras más finas: trabéculas, vasos.</translation>
    </message>
    <message>
        <source>Large differences</source>
        <translation>Diferencias grandes</translation>
    </message>
    <message>
        <source>Below 1 large bright and dark areas are brought closer together.</source>
        <translation>Por debajo de 1, las zonas extensas claras y oscuras se acercan entre sí.</translation>
    </message>
    <message>
        <source>Largest differences</source>
        <translation>Diferencias máximas</translation>
    </message>
    <message>
        <source>Below 1 the whole picture is evened out: lung and abdomen at once.</source>
        <translation>Por debajo de 1 se iguala toda la imagen: pulmón y abdomen a la vez.</translation>
    </message>
    <message>
        <source>Containment</source>
        <translation>Contención del ruido</translation>
    </message>
    <message>
        <source>How far above the noise a structure must be to be lifted in full.</source>
        <translation>Cuánto debe superar una estructura al ruido para destacarse por completo.</translation>
    </message>
    <message>
        <source>Least detail in noise</source>
        <translation>Detalle mínimo en el ruido</translation>
    </message>
    <message>
        <source>Brightness</source>
        <translation>Brillo</translation>
    </message>
    <message>
        <source>Where the middle of the anatomy&apos;s values lies between black and white.</source>
        <translation>Dónde queda, entre el negro y el blanco, el centro de los valores de la anatomía.</translation>
    </message>
    <message>
        <source>Pull</source>
        <translation>Acercamiento</translation>
    </message>
    <message>
        <source>How far the picture&apos;s own brightness is moved towards that.</source>
        <translation>Cuánto se acerca a ese valor el brillo propio de la imagen.</translation>
    </message>
    <message>
        <source>Contrast</source>
        <translation>Contraste</translation>
    </message>
    <message>
        <source>How steep the curve is in its middle; near 0 it is a straight line.</source>
        <translation>La pendiente de la curva en su centro; cerca de 0 es una línea recta.</translation>
    </message>
    <message>
        <source>Kept dark</source>
        <translation>Se mantiene oscuro</translation>
    </message>
</context>
<context>
    <name>places</name>
    <message>
        <source>This computer</source>
        <translation>Este equipo</translation>
    </message>
    <message>
        <source>{free} free of {total}</source>
        <translation>{free} libres de {total}</translation>
    </message>
</context>
<context>
    <name>preferences</name>
    <message>
        <source>Preferences</source>
        <translation>Preferencias</translation>
    </message>
    <message>
        <source>Groups of preferences</source>
        <translation>Grupos de preferencias</translation>
    </message>
</context>
<context>
    <name>ranks</name>
    <message>
        <source>ended without a word: killed, or crashed</source>
        <translation>terminó sin avisar: alguien lo mató, o falló</translation>
    </message>
    <message>
        <source>gave no sign of life, and was ended</source>
        <translation>no daba señales de vida, y se le puso fin</translation>
    </message>
    <message>
        <source>failed, and the others ended with it</source>
        <translation>falló, y los demás terminaron con él</translation>
    </message>
    <message>
        <source>Process {number}</source>
        <translation>Proceso {number}</translation>
    </message>
    <message>
        <source>most {amount}</source>
        <translation>máximo {amount}</translation>
    </message>
    <message>
        <source>most {amount}, predicted {predicted}</source>
        <translation>máximo {amount}, previsto {predicted}</translation>
    </message>
    <message>
        <source>waits {share}</source>
        <translation>espera el {share}</translation>
    </message>
    <message>
        <source>sent {amount}</source>
        <translation>enviados {amount}</translation>
    </message>
    <message>
        <source>Process {number} {how}.</source>
        <translation>El proceso {number} {how}.</translation>
    </message>
    <message>
        <source>No process waits long for the others.</source>
        <translation>Ningún proceso espera mucho a los demás.</translation>
    </message>
    <message>
        <source>Each process waits about {share} of the time for what the others send.</source>
        <translation>Cada proceso espera cerca del {share} del tiempo lo que envían los demás.</translation>
    </message>
    <message>
        <source>Process {number} waits {share} of the time for the others; process {slow} is the slowest.</source>
        <translation>El proceso {number} espera el {share} del tiempo a los demás; el proceso {slow} es el más lento.</translation>
    </message>
</context>
<context>
    <name>readout</name>
    <message>
        <source>x {column}   y {row}</source>
        <translation>x {column}   y {row}</translation>
    </message>
    <message>
        <source>before {value}</source>
        <translation>antes {value}</translation>
    </message>
    <message>
        <source>after {value}</source>
        <translation>después {value}</translation>
    </message>
    <message>
        <source>{value} in the file</source>
        <translation>{value} en el archivo</translation>
    </message>
</context>
<context>
    <name>report</name>
    <message>
        <source>A radiograph before, as the network makes it, and its reference.</source>
        <translation>Una radiografía antes, como la produce la red, y su referencia.</translation>
    </message>
    <message>
        <source>As it was told</source>
        <translation>Como se comunicó</translation>
    </message>
    <message>
        <source>Begun</source>
        <translation>Comienzo</translation>
    </message>
    <message>
        <source>Beside what is used now</source>
        <translation>Frente a lo que se usa ahora</translation>
    </message>
    <message>
        <source>Best validation loss</source>
        <translation>Mejor pérdida de validación</translation>
    </message>
    <message>
        <source>Budget</source>
        <translation>Límite de memoria</translation>
    </message>
    <message>
        <source>Data, in counts</source>
        <translation>Datos, en cifras</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Dispositivo</translation>
    </message>
    <message>
        <source>Effect on the result</source>
        <translation>Efecto en el resultado</translation>
    </message>
    <message>
        <source>Encoder of the U-Net</source>
        <translation>Codificador de la U-Net</translation>
    </message>
    <message>
        <source>Ended with</source>
        <translation>Terminó con</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>Épocas</translation>
    </message>
    <message>
        <source>Finest band: SD ratio</source>
        <translation>Banda más fina: cociente de DE</translation>
    </message>
    <message>
        <source>Finest band: correlation</source>
        <translation>Banda más fina: correlación</translation>
    </message>
    <message>
        <source>First steps with L1</source>
        <translation>Primeros pasos con L1</translation>
    </message>
    <message>
        <source>First weights</source>
        <translation>Pesos iniciales</translation>
    </message>
    <message>
        <source>Frozen BatchNorm (share of the last epochs)</source>
        <translation>BatchNorm congelada (parte final de las épocas)</translation>
    </message>
    <message>
        <source>Held back (share)</source>
        <translation>Reservadas (parte)</translation>
    </message>
    <message>
        <source>Highest in {phase}</source>
        <translation>Máximo en la {phase}</translation>
    </message>
    <message>
        <source>Image size (longer side)</source>
        <translation>Tamaño de imagen (lado mayor)</translation>
    </message>
    <message>
        <source>Images are parted by patient: nobody is in both parts.</source>
        <translation>Las imágenes se reparten por paciente: nadie está en ambas partes.</translation>
    </message>
    <message>
        <source>Images held back</source>
        <translation>Imágenes reservadas</translation>
    </message>
    <message>
        <source>Images kept apart, to compare on</source>
        <translation>Imágenes apartadas, para comparar</translation>
    </message>
    <message>
        <source>Images per step</source>
        <translation>Imágenes por paso</translation>
    </message>
    <message>
        <source>Images to train on</source>
        <translation>Imágenes para entrenar</translation>
    </message>
    <message>
        <source>In short</source>
        <translation>En resumen</translation>
    </message>
    <message>
        <source>It ran by</source>
        <translation>Se ejecutaba con</translation>
    </message>
    <message>
        <source>It went on by</source>
        <translation>Continuó con</translation>
    </message>
    <message>
        <source>Kind of input</source>
        <translation>Tipo de entrada</translation>
    </message>
    <message>
        <source>Largest learning rate</source>
        <translation>Tasa de aprendizaje máxima</translation>
    </message>
    <message>
        <source>Learned</source>
        <translation>Aprendido</translation>
    </message>
    <message>
        <source>Licence of the data</source>
        <translation>Licencia de los datos</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Pérdida</translation>
    </message>
    <message>
        <source>Made {moment} by Fullfield {version}.</source>
        <translation>Creado el {moment} por Fullfield {version}.</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Memoria</translation>
    </message>
    <message>
        <source>Memory of the card</source>
        <translation>Memoria de la tarjeta</translation>
    </message>
    <message>
        <source>Memory of the computer (no graphics card)</source>
        <translation>Memoria del equipo (sin tarjeta gráfica)</translation>
    </message>
    <message>
        <source>Memory ran out</source>
        <translation>La memoria se agotó</translation>
    </message>
    <message>
        <source>Most that was held, of the card</source>
        <translation>Máximo ocupado de la tarjeta</translation>
    </message>
    <message>
        <source>Most that was held, of the computer (no graphics card)</source>
        <translation>Máximo ocupado del equipo (sin tarjeta gráfica)</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Red</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notas</translation>
    </message>
    <message>
        <source>On the images that were held back. The finest band shall have the reference&apos;s SD (0.9 to 1.1).</source>
        <translation>Con las imágenes reservadas. La banda más fina debe tener la desviación estándar (DE) de la referencia (de 0,9 a 1,1).</translation>
    </message>
    <message>
        <source>PSNR in dB</source>
        <translation>PSNR en dB</translation>
    </message>
    <message>
        <source>PSNR, dB</source>
        <translation>PSNR, dB</translation>
    </message>
    <message>
        <source>Patients kept apart</source>
        <translation>Pacientes apartados</translation>
    </message>
    <message>
        <source>Patients who were compared</source>
        <translation>Pacientes comparados</translation>
    </message>
    <message>
        <source>Predicted peak</source>
        <translation>Máximo previsto</translation>
    </message>
    <message>
        <source>Predicted peak, an estimate</source>
        <translation>Máximo previsto, una estimación</translation>
    </message>
    <message>
        <source>Predicted then</source>
        <translation>Previsto entonces</translation>
    </message>
    <message>
        <source>Predicted: {kind}</source>
        <translation>Previsto: {kind}</translation>
    </message>
    <message>
        <source>Problems of the data</source>
        <translation>Problemas de los datos</translation>
    </message>
    <message>
        <source>Quality</source>
        <translation>Calidad</translation>
    </message>
    <message>
        <source>Quality, beside simple methods</source>
        <translation>Calidad, junto a métodos sencillos</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>Referencia</translation>
    </message>
    <message>
        <source>SHA-256 of the model</source>
        <translation>SHA-256 del modelo</translation>
    </message>
    <message>
        <source>Schedule of the learning rate</source>
        <translation>Evolución de la tasa de aprendizaje</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Semilla</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Ajustes</translation>
    </message>
    <message>
        <source>Some characters of this report are boxes: no font of this computer has them. Install one that does, such as Noto Sans CJK for Chinese, Japanese and Korean, or make the report as an HTML file.</source>
        <translation>Algunos caracteres de este informe son recuadros: ningún tipo de letra de este equipo los tiene. Instale uno que los tenga, como Noto Sans CJK para chino, japonés y coreano, o haga el informe como archivo HTML.</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Estado</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Pasos</translation>
    </message>
    <message>
        <source>Technique</source>
        <translation>Técnica</translation>
    </message>
    <message>
        <source>Techniques that save memory or time</source>
        <translation>Técnicas que ahorran memoria o tiempo</translation>
    </message>
    <message>
        <source>The PSNR on the validation part by epoch.</source>
        <translation>El PSNR en la parte de validación, por época.</translation>
    </message>
    <message>
        <source>The loss is 100·(1 − MS-SSIM) on the images that were held back; lower is better.</source>
        <translation>La pérdida es 100·(1 − MS-SSIM) con las imágenes reservadas; cuanto menor, mejor.</translation>
    </message>
    <message>
        <source>The loss of training and validation by epoch.</source>
        <translation>La pérdida de entrenamiento y de validación, por época.</translation>
    </message>
    <message>
        <source>The memory that was held while it trained.</source>
        <translation>La memoria que se ocupó durante el entrenamiento.</translation>
    </message>
    <message>
        <source>Time at work</source>
        <translation>Tiempo de trabajo</translation>
    </message>
    <message>
        <source>To be used on</source>
        <translation>Se usará con</translation>
    </message>
    <message>
        <source>To fit into</source>
        <translation>Debe caber en</translation>
    </message>
    <message>
        <source>Training of {moment}</source>
        <translation>Entrenamiento de {moment}</translation>
    </message>
    <message>
        <source>Varied by chance</source>
        <translation>Variadas al azar</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Veredicto</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>Versiones</translation>
    </message>
    <message>
        <source>Warm-up (share of the steps)</source>
        <translation>Calentamiento (parte de los pasos)</translation>
    </message>
    <message>
        <source>What it does</source>
        <translation>Qué hace</translation>
    </message>
    <message>
        <source>When memory ran out</source>
        <translation>Cuándo se agotó la memoria</translation>
    </message>
    <message>
        <source>a file</source>
        <translation>un archivo</translation>
    </message>
    <message>
        <source>a preset file</source>
        <translation>un archivo de ajuste predefinido</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>activaciones</translation>
    </message>
    <message>
        <source>after epoch {epoch}</source>
        <translation>tras la época {epoch}</translation>
    </message>
    <message>
        <source>an unknown time</source>
        <translation>un momento desconocido</translation>
    </message>
    <message>
        <source>at step {step}</source>
        <translation>en el paso {step}</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>automático</translation>
    </message>
    <message>
        <source>backward, peak</source>
        <translation>vuelta, máximo</translation>
    </message>
    <message>
        <source>before</source>
        <translation>antes</translation>
    </message>
    <message>
        <source>both</source>
        <translation>ambas</translation>
    </message>
    <message>
        <source>budget</source>
        <translation>límite</translation>
    </message>
    <message>
        <source>completed</source>
        <translation>completado</translation>
    </message>
    <message>
        <source>constant</source>
        <translation>constante</translation>
    </message>
    <message>
        <source>cosine</source>
        <translation>coseno</translation>
    </message>
    <message>
        <source>ended unexpectedly</source>
        <translation>terminado de forma inesperada</translation>
    </message>
    <message>
        <source>epoch</source>
        <translation>época</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fallido</translation>
    </message>
    <message>
        <source>forward, peak</source>
        <translation>ida, máximo</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>gradientes</translation>
    </message>
    <message>
        <source>host</source>
        <translation>trasladado</translation>
    </message>
    <message>
        <source>image</source>
        <translation>la propia imagen</translation>
    </message>
    <message>
        <source>imagenet</source>
        <translation>ImageNet</translation>
    </message>
    <message>
        <source>input</source>
        <translation>imágenes</translation>
    </message>
    <message>
        <source>likely, at step {step}</source>
        <translation>probablemente, en el paso {step}</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>pérdida</translation>
    </message>
    <message>
        <source>minutes of training</source>
        <translation>minutos de entrenamiento</translation>
    </message>
    <message>
        <source>native</source>
        <translation>original</translation>
    </message>
    <message>
        <source>no</source>
        <translation>no</translation>
    </message>
    <message>
        <source>none</source>
        <translation>ninguno</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>optimizador</translation>
    </message>
    <message>
        <source>pairs</source>
        <translation>pares</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>en pausa</translation>
    </message>
    <message>
        <source>predicted peak</source>
        <translation>máximo previsto</translation>
    </message>
    <message>
        <source>preparing</source>
        <translation>en preparación</translation>
    </message>
    <message>
        <source>raw and processed</source>
        <translation>sin procesar y procesadas</translation>
    </message>
    <message>
        <source>reference</source>
        <translation>referencia</translation>
    </message>
    <message>
        <source>reserve</source>
        <translation>reserva</translation>
    </message>
    <message>
        <source>reserved by torch</source>
        <translation>reservada por torch</translation>
    </message>
    <message>
        <source>stopped by the user</source>
        <translation>detenido por el usuario</translation>
    </message>
    <message>
        <source>stopped by the user, kept</source>
        <translation>detenido por el usuario, conservado</translation>
    </message>
    <message>
        <source>the computer&apos;s memory, this run</source>
        <translation>memoria del equipo, este entrenamiento</translation>
    </message>
    <message>
        <source>this network, epoch {epoch}</source>
        <translation>esta red, época {epoch}</translation>
    </message>
    <message>
        <source>this network, epoch {epoch}, on {kind} input alone</source>
        <translation>esta red, época {epoch}, solo con entrada {kind}</translation>
    </message>
    <message>
        <source>this run</source>
        <translation>este entrenamiento</translation>
    </message>
    <message>
        <source>training</source>
        <translation>entrenamiento</translation>
    </message>
    <message>
        <source>validation</source>
        <translation>validación</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>pesos</translation>
    </message>
    <message>
        <source>whole card</source>
        <translation>tarjeta entera</translation>
    </message>
    <message>
        <source>workspace</source>
        <translation>cálculo</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>sí</translation>
    </message>
    <message>
        <source>{count} of {total}</source>
        <translation>{count} de {total}</translation>
    </message>
    <message>
        <source>{loss} in epoch {epoch}</source>
        <translation>{loss} en la época {epoch}</translation>
    </message>
</context>
<context>
    <name>row</name>
    <message>
        <source>Cannot enhance the image.</source>
        <translation>No se puede realzar la imagen.</translation>
    </message>
    <message>
        <source>The worker ended twice while it was at this image.</source>
        <translation>El proceso de trabajo ha terminado dos veces mientras estaba con esta imagen.</translation>
    </message>
    <message>
        <source>Choose another preset or model, or close other programs, and enhance it again.</source>
        <translation>Elija otro ajuste predefinido u otro modelo, o cierre otros programas, y vuelva a realzarla.</translation>
    </message>
</context>
<context>
    <name>runs</name>
    <message>
        <source>Training, step by step</source>
        <translation>Entrenamiento, paso a paso</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Entrenamiento</translation>
    </message>
    <message>
        <source>Validation</source>
        <translation>Validación</translation>
    </message>
    <message>
        <source>PSNR on the validation part</source>
        <translation>PSNR en la parte de validación</translation>
    </message>
    <message>
        <source>forward, peak</source>
        <translation>ida, máximo</translation>
    </message>
    <message>
        <source>backward, peak</source>
        <translation>vuelta, máximo</translation>
    </message>
    <message>
        <source>computer&apos;s memory (no graphics card)</source>
        <translation>memoria del equipo (sin tarjeta gráfica)</translation>
    </message>
    <message>
        <source>whole card</source>
        <translation>tarjeta entera</translation>
    </message>
    <message>
        <source>this run on the card</source>
        <translation>este entrenamiento en la tarjeta</translation>
    </message>
    <message>
        <source>reserved by torch</source>
        <translation>reservada por torch</translation>
    </message>
    <message>
        <source>predicted peak</source>
        <translation>máximo previsto</translation>
    </message>
    <message>
        <source>budget</source>
        <translation>límite</translation>
    </message>
    <message>
        <source>Highest so far: {amount}.</source>
        <translation>Máximo hasta ahora: {amount}.</translation>
    </message>
    <message>
        <source>Predicted: {amount}.</source>
        <translation>Previsto: {amount}.</translation>
    </message>
    <message>
        <source>Best validation loss {loss}, in epoch {epoch} of {epochs}.</source>
        <translation>Mejor pérdida de validación: {loss}, en la época {epoch} de {epochs}.</translation>
    </message>
    <message>
        <source>the preset that fits</source>
        <translation>el ajuste predefinido que corresponda</translation>
    </message>
    <message>
        <source>{size}, {began}</source>
        <translation>{size}, {began}</translation>
    </message>
    <message>
        <source>Ensemble of {count}, {size}, {began}</source>
        <translation>Conjunto de {count}, {size}, {began}</translation>
    </message>
    <message>
        <source>this computer</source>
        <translation>este equipo</translation>
    </message>
    <message>
        <source>just now</source>
        <translation>ahora mismo</translation>
    </message>
    <message>
        <source>native</source>
        <translation>original</translation>
    </message>
    <message>
        <source>{pixels} px</source>
        <translation>{pixels} px</translation>
    </message>
    <message>
        <source>none</source>
        <translation>ninguna</translation>
    </message>
    <message>
        <source>{amount}</source>
        <translation>{amount}</translation>
    </message>
    <message>
        <source>{amount} (computer)</source>
        <translation>{amount} (equipo)</translation>
    </message>
    <message>
        <source>16 bits where it is enough (bfloat16), 32 bits elsewhere</source>
        <translation>16 bits donde basta (bfloat16), 32 bits en lo demás</translation>
    </message>
    <message>
        <source>16 bits where it is enough (float16), 32 bits elsewhere</source>
        <translation>16 bits donde basta (float16), 32 bits en lo demás</translation>
    </message>
    <message>
        <source>32 bits throughout</source>
        <translation>32 bits en todo</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Entrenamiento</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Estado</translation>
    </message>
    <message>
        <source>Begun</source>
        <translation>Comienzo</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Tamaño</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>Épocas</translation>
    </message>
    <message>
        <source>Best loss</source>
        <translation>Mejor pérdida</translation>
    </message>
    <message>
        <source>Most memory</source>
        <translation>Memoria máxima</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>Duración</translation>
    </message>
    <message>
        <source>Techniques</source>
        <translation>Técnicas</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notas</translation>
    </message>
    <message>
        <source>{count} of {total} members</source>
        <translation>{count} de {total} miembros</translation>
    </message>
    <message>
        <source>{count} of {total}</source>
        <translation>{count} de {total}</translation>
    </message>
</context>
<context>
    <name>settings</name>
    <message>
        <source>Reference</source>
        <translation>Referencia</translation>
    </message>
    <message>
        <source>What the network learns to make.</source>
        <translation>Lo que la red aprende a producir.</translation>
    </message>
    <message>
        <source>Pairs, else the preset that fits</source>
        <translation>Pares, o si no, el ajuste adecuado</translation>
    </message>
    <message>
        <source>Only pairs of the data</source>
        <translation>Solo los pares de los datos</translation>
    </message>
    <message>
        <source>The images themselves</source>
        <translation>Las propias imágenes</translation>
    </message>
    <message>
        <source>Heed the review</source>
        <translation>Respetar la revisión</translation>
    </message>
    <message>
        <source>Leave out rejected images, and use adjusted references.</source>
        <translation>Deja fuera las imágenes rechazadas y usa las referencias ajustadas.</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Pérdida</translation>
    </message>
    <message>
        <source>How the result is compared with the reference.</source>
        <translation>Cómo se compara el resultado con la referencia.</translation>
    </message>
    <message>
        <source>1 − MS-SSIM</source>
        <translation>1 − MS-SSIM</translation>
    </message>
    <message>
        <source>0.84·(1 − MS-SSIM) + 0.16·L1</source>
        <translation>0,84·(1 − MS-SSIM) + 0,16·L1</translation>
    </message>
    <message>
        <source>… and the strength of bands</source>
        <translation>… y la intensidad de las bandas</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Tasa de aprendizaje</translation>
    </message>
    <message>
        <source>The largest of the schedule: more learns faster, too much not at all.</source>
        <translation>La mayor de todo el entrenamiento: con más se aprende más rápido; con demasiada, nada.</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>Evolución de la tasa</translation>
    </message>
    <message>
        <source>How the learning rate changes during the training.</source>
        <translation>Cómo cambia la tasa de aprendizaje durante el entrenamiento.</translation>
    </message>
    <message>
        <source>Falls as a cosine</source>
        <translation>Desciende como un coseno</translation>
    </message>
    <message>
        <source>Stays the same</source>
        <translation>Se mantiene igual</translation>
    </message>
    <message>
        <source>Warm-up</source>
        <translation>Calentamiento</translation>
    </message>
    <message>
        <source>Share of the steps in which the learning rate rises, from 0 to 0.9.</source>
        <translation>Parte de los pasos en la que sube la tasa de aprendizaje, de 0 a 0,9.</translation>
    </message>
    <message>
        <source>First steps with L1</source>
        <translation>Primeros pasos con L1</translation>
    </message>
    <message>
        <source>MS-SSIM has no gradient before anything resembles the reference.</source>
        <translation>MS-SSIM no tiene gradiente hasta que algo se parece a la referencia.</translation>
    </message>
    <message>
        <source>Frozen statistics</source>
        <translation>Estadísticas congeladas</translation>
    </message>
    <message>
        <source>Share of the last epochs with batch normalisation&apos;s statistics frozen.</source>
        <translation>Parte final de las épocas con las estadísticas de la normalización por lotes congeladas.</translation>
    </message>
    <message>
        <source>First weights</source>
        <translation>Pesos iniciales</translation>
    </message>
    <message>
        <source>What the network knows before it learns from these images.</source>
        <translation>Lo que la red sabe antes de aprender de estas imágenes.</translation>
    </message>
    <message>
        <source>ImageNet&apos;s, where they are here</source>
        <translation>Los de ImageNet, si están aquí</translation>
    </message>
    <message>
        <source>ImageNet&apos;s</source>
        <translation>Los de ImageNet</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Red</translation>
    </message>
    <message>
        <source>A kind of its own has defaults of its own, which are set with it.</source>
        <translation>Cada tipo tiene sus propios valores, que se ponen con él.</translation>
    </message>
    <message>
        <source>A smaller one takes less memory and time, and learns a little less.</source>
        <translation>Uno más pequeño ocupa menos memoria y tiempo, y aprende un poco menos.</translation>
    </message>
    <message>
        <source>Vary by chance</source>
        <translation>Variar al azar</translation>
    </message>
    <message>
        <source>Images are learnt from mirrored, too; processed ones also with less contrast, in 8 bits or as JPEG.</source>
        <translation>También se aprende de las imágenes reflejadas; de las procesadas, además con menos contraste, en 8 bits o como JPEG.</translation>
    </message>
    <message>
        <source>None: it begins with nothing</source>
        <translation>Ninguno: empieza de cero</translation>
    </message>
    <message>
        <source>From a file…</source>
        <translation>De un archivo…</translation>
    </message>
    <message>
        <source>Encoder</source>
        <translation>Codificador</translation>
    </message>
    <message>
        <source>Map network, at any size</source>
        <translation>Red de mapas, a cualquier tamaño</translation>
    </message>
    <message>
        <source>MobileNetV2, the smallest</source>
        <translation>MobileNetV2, el más pequeño</translation>
    </message>
    <message>
        <source>ResNet-34, as in the paper</source>
        <translation>ResNet-34, como en el artículo</translation>
    </message>
    <message>
        <source>ResNet-50, larger</source>
        <translation>ResNet-50, más grande</translation>
    </message>
    <message>
        <source>U-Net, as in the paper</source>
        <translation>U-Net, como en el artículo</translation>
    </message>
    <message>
        <source>ResNet-18, smaller</source>
        <translation>ResNet-18, más pequeño</translation>
    </message>
    <message>
        <source>Held back</source>
        <translation>Reservadas</translation>
    </message>
    <message>
        <source>Share of the images that are not learnt from, to check: from 0.01 to 0.9.</source>
        <translation>Parte de las imágenes de la que no se aprende, para comprobar: de 0,01 a 0,9.</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Semilla</translation>
    </message>
    <message>
        <source>Another number makes another split, another order, another result.</source>
        <translation>Otro número produce otro reparto, otro orden y otro resultado.</translation>
    </message>
    <message>
        <source>CPU threads</source>
        <translation>Hilos de la CPU</translation>
    </message>
    <message>
        <source>0 takes all cores but the one that this window needs.</source>
        <translation>0 usa todos los núcleos salvo el que necesita esta ventana.</translation>
    </message>
    <message>
        <source>Save every … seconds</source>
        <translation>Guardar cada … segundos</translation>
    </message>
    <message>
        <source>A training that is interrupted goes on from there. 0: after each epoch.</source>
        <translation>Un entrenamiento interrumpido continúa desde ahí. 0: tras cada época.</translation>
    </message>
    <message>
        <source>Measure tiles</source>
        <translation>Medir las teselas</translation>
    </message>
    <message>
        <source>At the end, measure how far tiles must overlap: some 12 seconds.</source>
        <translation>Al final, mide cuánto deben solaparse las teselas: unos 12 segundos.</translation>
    </message>
    <message>
        <source>Licence of the data</source>
        <translation>Licencia de los datos</translation>
    </message>
    <message>
        <source>What their owner allows; written into the model&apos;s card.</source>
        <translation>Lo que permite su propietario; se escribe en la ficha del modelo.</translation>
    </message>
</context>
<context>
    <name>state of a run</name>
    <message>
        <source>Preparing</source>
        <translation>Preparando</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Entrenando</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>En pausa</translation>
    </message>
    <message>
        <source>Stopped, kept</source>
        <translation>Detenido, conservado</translation>
    </message>
    <message>
        <source>Completed</source>
        <translation>Completado</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Con error</translation>
    </message>
    <message>
        <source>Ended unexpectedly</source>
        <translation>Fin inesperado</translation>
    </message>
    <message>
        <source>Damaged</source>
        <translation>Dañado</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Detenido</translation>
    </message>
</context>
<context>
    <name>survey</name>
    <message>
        <source>raw</source>
        <translation>sin procesar</translation>
    </message>
    <message>
        <source>processed for display</source>
        <translation>procesadas para mostrarse</translation>
    </message>
    <message>
        <source>raw images (For Processing)</source>
        <translation>imágenes sin procesar (For Processing)</translation>
    </message>
    <message>
        <source>processed images</source>
        <translation>imágenes procesadas</translation>
    </message>
    <message>
        <source>raw and processed images</source>
        <translation>imágenes sin procesar y procesadas</translation>
    </message>
    <message>
        <source>The network will be for raw images and refuse all others.</source>
        <translation>La red será para imágenes sin procesar y rechazará todas las demás.</translation>
    </message>
    <message>
        <source>The network will be for images that are processed for display, such as these, and refuse raw ones.</source>
        <translation>La red será para imágenes procesadas para su visualización, como estas, y rechazará las imágenes sin procesar.</translation>
    </message>
    <message>
        <source>The network will be for raw and for processed images.</source>
        <translation>La red será para imágenes sin procesar y para imágenes procesadas.</translation>
    </message>
    <message>
        <source>The network will be for raw and for processed images: it learns from each processed one as it is and as a raw one that is simulated from it.</source>
        <translation>La red será para imágenes sin procesar y para imágenes procesadas: aprende de cada imagen procesada tal como es y como imagen sin procesar simulada a partir de ella.</translation>
    </message>
    <message>
        <source>{count} have a reference of their own, listed in pairs.csv.</source>
        <translation>{count} tienen referencia propia, según la lista de pairs.csv.</translation>
    </message>
    <message>
        <source>{count} have a reference of their own, with the same name.</source>
        <translation>{count} tienen referencia propia, con el mismo nombre.</translation>
    </message>
    <message>
        <source>{count} have a reference of their own, found in the DICOM headers.</source>
        <translation>{count} tienen referencia propia, hallada en las cabeceras DICOM.</translation>
    </message>
    <message>
        <source>There are no images to train on in this folder.</source>
        <translation>En esta carpeta no hay imágenes con las que entrenar.</translation>
    </message>
    <message>
        <source>{images} images of {patients} patients, all of them {kind}.</source>
        <translation>{images} imágenes de {patients} pacientes, todas {kind}.</translation>
    </message>
    <message>
        <source>{images} images of {patients} patients: {kinds}.</source>
        <translation>{images} imágenes de {patients} pacientes: {kinds}.</translation>
    </message>
    <message>
        <source>The conventional processor makes the references: review them before training.</source>
        <translation>El procesador convencional crea las referencias: revíselas antes de entrenar.</translation>
    </message>
    <message>
        <source>Raw images are simulated from processed ones: the network will be for raw images and refuse all others.</source>
        <translation>Las imágenes sin procesar se simulan a partir de imágenes procesadas: la red servirá para imágenes sin procesar y rechazará las demás.</translation>
    </message>
    <message>
        <source>{least} to {most} pixels; median of the longer side {middle}.</source>
        <translation>De {least} a {most} píxeles; mediana del lado mayor: {middle}.</translation>
    </message>
    <message>
        <source>{training} to learn from, {held} held back to check (patients no. {numbers}).</source>
        <translation>{training} para aprender, {held} para comprobar (pacientes n.º&#xa0;{numbers}).</translation>
    </message>
    <message>
        <source>{training} to learn from, {held} held back to check (patient no. {numbers}).</source>
        <translation>{training} para aprender, {held} para comprobar (paciente n.º&#xa0;{numbers}).</translation>
    </message>
    <message>
        <source>Patient {number}, held back</source>
        <translation>Pac. {number}, reservada</translation>
    </message>
    <message>
        <source>Patient {number}</source>
        <translation>Pac. {number}</translation>
    </message>
    <message>
        <source>Patient {number}, rejected</source>
        <translation>Pac. {number}, rechazada</translation>
    </message>
</context>
<context>
    <name>techniques</name>
    <message>
        <source>exact</source>
        <translation>exacta</translation>
    </message>
    <message>
        <source>approximate</source>
        <translation>aproximada</translation>
    </message>
    <message>
        <source>changes the model</source>
        <translation>cambia el modelo</translation>
    </message>
    <message>
        <source>A few images at a time</source>
        <translation>Pocas imágenes a la vez</translation>
    </message>
    <message>
        <source>A momentum network computes its images in reverse, and has no blocks that could run in bands.</source>
        <translation>Una red con momento calcula sus imágenes hacia atrás y no tiene bloques que puedan ejecutarse por franjas.</translation>
    </message>
    <message>
        <source>A momentum network gets its images back by computing in reverse and has nothing to recompute.</source>
        <translation>Una red con momento recupera sus imágenes calculando hacia atrás y no tiene nada que recalcular.</translation>
    </message>
    <message>
        <source>Activations in the computer&apos;s memory</source>
        <translation>Activaciones en memoria del equipo</translation>
    </message>
    <message>
        <source>Adam with steps that suit the size of every layer&apos;s weights, for batches of very many images.</source>
        <translation>Adam con pasos acordes con la magnitud de los pesos de cada capa, para lotes de muchísimas imágenes.</translation>
    </message>
    <message>
        <source>Averaged weights</source>
        <translation>Pesos promediados</translation>
    </message>
    <message>
        <source>Bands bring their own convolutions, which know nothing of eight-bit weights.</source>
        <translation>Las franjas traen sus propias convoluciones, que no conocen los pesos de ocho bits.</translation>
    </message>
    <message>
        <source>Both are optimizers with their own update. Choose one.</source>
        <translation>Ambos son optimizadores con su propia actualización. Elija uno.</translation>
    </message>
    <message>
        <source>Both are optimizers. Choose one.</source>
        <translation>Ambos son optimizadores. Elija uno.</translation>
    </message>
    <message>
        <source>Both cut the same steps into bands. Take the one that saves enough.</source>
        <translation>Ambas cortan los mismos pasos en franjas. Elija la que ahorre lo suficiente.</translation>
    </message>
    <message>
        <source>Both decide what is kept of every step of the network. Take the one that saves enough.</source>
        <translation>Ambas deciden qué se guarda de cada paso de la red. Elija la que ahorre lo suficiente.</translation>
    </message>
    <message>
        <source>Both say how the optimizer remembers. Choose one.</source>
        <translation>Ambas dicen cómo recuerda el optimizador. Elija una.</translation>
    </message>
    <message>
        <source>Both say where and how the optimizer remembers. Choose one.</source>
        <translation>Ambas dicen dónde y cómo recuerda el optimizador. Elija una.</translation>
    </message>
    <message>
        <source>Changes the network&apos;s encoder so that it can be computed backwards; its models are of their own kind.</source>
        <translation>Cambia el codificador de la red para que pueda calcularse hacia atrás; sus modelos son de un tipo propio.</translation>
    </message>
    <message>
        <source>Channels side by side</source>
        <translation>Canales contiguos</translation>
    </message>
    <message>
        <source>Checkpointing</source>
        <translation>Puntos de control</translation>
    </message>
    <message>
        <source>Clipped gradients</source>
        <translation>Gradientes acotados</translation>
    </message>
    <message>
        <source>Compares the result with the reference strip by strip: the same number, many times faster, in less memory.</source>
        <translation>Compara el resultado con la referencia franja a franja: el mismo número, muchas veces más rápido y con menos memoria.</translation>
    </message>
    <message>
        <source>Compile the network</source>
        <translation>Compilar la red</translation>
    </message>
    <message>
        <source>Compressed activations</source>
        <translation>Activaciones comprimidas</translation>
    </message>
    <message>
        <source>Computes with numbers of half the length, which takes about half the memory and is faster on most cards.</source>
        <translation>Calcula con números de la mitad de longitud, lo que ocupa cerca de la mitad de la memoria y es más rápido en la mayoría de las tarjetas.</translation>
    </message>
    <message>
        <source>Each correction is forgotten at once, so those of several images cannot be added up.</source>
        <translation>Cada corrección se olvida enseguida, así que las de varias imágenes no se pueden sumar.</translation>
    </message>
    <message>
        <source>For optimal: MiB for maps and gradients together; 0 takes as little as can be</source>
        <translation>Para «óptimo»: MiB para mapas y gradientes juntos; 0 toma lo mínimo posible</translation>
    </message>
    <message>
        <source>For parts: which, such as layer1.blocks+layer4..d2+d5</source>
        <translation>Para «partes»: cuáles, por ejemplo layer1.blocks+layer4..d2+d5</translation>
    </message>
    <message>
        <source>For periodic: how many segments; 0 takes the root of the number of parts</source>
        <translation>Para «periódico»: cuántos segmentos; 0 toma la raíz del número de partes</translation>
    </message>
    <message>
        <source>Gives every layer a learning rate that suits the size of its weights, for batches of very many images.</source>
        <translation>Da a cada capa una tasa de aprendizaje acorde con la magnitud de sus pesos, para lotes de muchísimas imágenes.</translation>
    </message>
    <message>
        <source>Hardly anything is kept, and that is written over during training.</source>
        <translation>Apenas se guarda nada, y eso se sobrescribe durante el entrenamiento.</translation>
    </message>
    <message>
        <source>How many images of a batch each process takes by those of the others, such as 3+1 where one card is three times as fast as the other; all alike where nothing is said. A group that shares the rows of an image takes what its processes take together</source>
        <translation>Cuántas imágenes de un lote toma cada proceso en relación con los demás, como 3+1 si una tarjeta es el triple de rápida que la otra; todos igual si no se indica nada. Un grupo que comparte las filas de una imagen toma lo que toman juntos sus procesos</translation>
    </message>
    <message>
        <source>Images that are in memory at once.</source>
        <translation>Imágenes que están en memoria a la vez.</translation>
    </message>
    <message>
        <source>It keeps what Adam remembers in short numbers, and LARS is no Adam. Choose one.</source>
        <translation>Guarda en números cortos lo que recuerda Adam, y LARS no es Adam. Elija uno.</translation>
    </message>
    <message>
        <source>It moves its own maps to the host: choose its tier instead.</source>
        <translation>Ya traslada sus propios mapas a la memoria del equipo: elija allí su nivel.</translation>
    </message>
    <message>
        <source>It moves what Adam remembers, and LARS is no Adam. Choose one.</source>
        <translation>Traslada lo que recuerda Adam, y LARS no es Adam. Elija uno.</translation>
    </message>
    <message>
        <source>It updates a layer in pieces, and LAMB needs the whole layer&apos;s step first. Choose one.</source>
        <translation>Actualiza una capa por partes, y LAMB necesita antes el paso de toda la capa. Elija uno.</translation>
    </message>
    <message>
        <source>Keeps only some of the images in between and computes the others again: less memory, more time.</source>
        <translation>Guarda solo algunas de las imágenes intermedias y vuelve a calcular las demás: menos memoria, más tiempo.</translation>
    </message>
    <message>
        <source>Keeps the optimizer&apos;s memory of past steps in short numbers: a quarter of its memory.</source>
        <translation>Guarda lo que el optimizador recuerda de los pasos anteriores en números cortos: una cuarta parte de su memoria.</translation>
    </message>
    <message>
        <source>Keeps the optimizer&apos;s memory of past steps in short numbers: an eighth of its memory.</source>
        <translation>Guarda lo que el optimizador recuerda de los pasos anteriores en números cortos: una octava parte de su memoria.</translation>
    </message>
    <message>
        <source>Keeps the optimizer&apos;s memory of past steps outside the card and fetches it piece by piece.</source>
        <translation>Guarda fuera de la tarjeta lo que el optimizador recuerda de los pasos anteriores y lo trae por partes.</translation>
    </message>
    <message>
        <source>LAMB for large batches</source>
        <translation>LAMB para lotes grandes</translation>
    </message>
    <message>
        <source>LARS for large batches</source>
        <translation>LARS para lotes grandes</translation>
    </message>
    <message>
        <source>Layers of which only the output is kept, and a stem and decoder blocks of which nothing is: less memory, more time</source>
        <translation>Capas de las que solo se conserva la salida, y una entrada y bloques del decodificador de los que no se conserva nada: menos memoria, más tiempo</translation>
    </message>
    <message>
        <source>The most maps that are there at once, in maps of the image&apos;s own size: where there is room, what is computed is kept, else it is computed again. 0: as many as are kept. Not in the host tier</source>
        <translation>El máximo de mapas presentes a la vez, en mapas del tamaño de la propia imagen: donde hay sitio se conserva lo calculado; si no, se vuelve a calcular. 0: tantos como se conserven. No en la memoria del ordenador</translation>
    </message>
    <message>
        <source>Where there is no limit, which maps wait for the way back: those of all blocks, of all stages, or the fewest</source>
        <translation>Donde no hay límite, qué mapas esperan para el camino de vuelta: los de todos los bloques, los de todas las etapas o los menos posibles</translation>
    </message>
    <message>
        <source>Lays the numbers out in memory as the processor reads them fastest; the results stay the same.</source>
        <translation>Dispone los números en la memoria como el procesador los lee más deprisa; los resultados no cambian.</translation>
    </message>
    <message>
        <source>1f1b: an image&apos;s backward as soon as it can be, with few images in memory; gpipe: all forwards first</source>
        <translation>1f1b: la pasada hacia atrás de una imagen en cuanto es posible, con pocas imágenes en memoria; gpipe: primero todas las pasadas hacia delante</translation>
    </message>
    <message>
        <source>A map that its maker has packed is packed once more by the process that takes it.</source>
        <translation>Un mapa que ya comprimió quien lo creó lo comprimiría otra vez el proceso que lo toma.</translation>
    </message>
    <message>
        <source>A momentum network goes back through all of its parts at once, from its end to its beginning.</source>
        <translation>Una red con momento recorre hacia atrás todas sus partes de una vez, del final al principio.</translation>
    </message>
    <message>
        <source>A part of the network has its gradients, and sums them over all rows, as one. Choose level 1 of zero.</source>
        <translation>Una parte de la red tiene sus gradientes, y los suma sobre todas las filas, como uno solo. Elija el nivel 1 de zero.</translation>
    </message>
    <message>
        <source>A process with fewer images than others would count stand-ins among its own, because these wait for it. Use data_parallel.</source>
        <translation>Un proceso con menos imágenes que otros contaría sustitutos entre las suyas, porque estos lo esperan. Use data_parallel.</translation>
    </message>
    <message>
        <source>All processes share the rows of each image, so none is left to take another image.</source>
        <translation>Todos los procesos comparten las filas de cada imagen; no queda ninguno para tomar otra imagen.</translation>
    </message>
    <message>
        <source>Batch normalisation by the images of each process alone, or by those of all: as one process with all of them</source>
        <translation>Normalización por lotes con las imágenes de cada proceso por separado, o con las de todos: como un solo proceso con todas ellas</translation>
    </message>
    <message>
        <source>Both divide what the optimizer remembers. Choose one.</source>
        <translation>Ambos dividen lo que recuerda el optimizador. Elija uno.</translation>
    </message>
    <message>
        <source>Both say how several processes share the work. Choose one.</source>
        <translation>Ambos dicen cómo reparten el trabajo varios procesos. Elija uno.</translation>
    </message>
    <message>
        <source>Both say how the optimizer remembers, and PyTorch divides that of Adam alone. Choose one.</source>
        <translation>Ambos dicen cómo recuerda el optimizador, y PyTorch solo divide el de Adam. Elija uno.</translation>
    </message>
    <message>
        <source>Both say what each process keeps of the weights. Choose one.</source>
        <translation>Ambos dicen qué guarda cada proceso de los pesos. Elija uno.</translation>
    </message>
    <message>
        <source>Both say which process does what. Choose one.</source>
        <translation>Ambos dicen qué proceso hace qué. Elija uno.</translation>
    </message>
    <message>
        <source>Both share the images of a batch. Choose one.</source>
        <translation>Ambos reparten las imágenes de un lote. Elija uno.</translation>
    </message>
    <message>
        <source>Columns of powersgd&apos;s matrices.</source>
        <translation>Columnas de las matrices de powersgd.</translation>
    </message>
    <message>
        <source>Compressed gradients</source>
        <translation>Gradientes comprimidos</translation>
    </message>
    <message>
        <source>Each of several processes keeps pieces of the network, and has the rest while it needs it, by PyTorch.</source>
        <translation>Cada uno de varios procesos guarda trozos de la red y tiene el resto mientras lo necesita, mediante PyTorch.</translation>
    </message>
    <message>
        <source>Each of several processes keeps the optimizer&apos;s memory of its share of the network, as PyTorch does it.</source>
        <translation>Cada uno de varios procesos guarda la memoria del optimizador de su parte de la red, como lo hace PyTorch.</translation>
    </message>
    <message>
        <source>Each process has some parts of the network, and the images of a batch pass through them one by one.</source>
        <translation>Cada proceso tiene algunas partes de la red, y las imágenes de un lote pasan por ellas una a una.</translation>
    </message>
    <message>
        <source>Each process has the weights of its own parts alone already.</source>
        <translation>Cada proceso tiene ya solo los pesos de sus propias partes.</translation>
    </message>
    <message>
        <source>Each process remembers, and updates, only its part of the network, where all would do the same.</source>
        <translation>Cada proceso recuerda y actualiza solo su parte de la red, donde todos harían lo mismo.</translation>
    </message>
    <message>
        <source>Each process would find other ranges of numbers in its own images.</source>
        <translation>Cada proceso encontraría otros rangos de números en sus propias imágenes.</translation>
    </message>
    <message>
        <source>How many parts of the rows each process has, such as 3+1 where one card has three times the memory of the other; all alike where nothing is said</source>
        <translation>Cuántas partes de las filas tiene cada proceso, como 3+1 si una tarjeta tiene el triple de memoria que la otra; todos igual si no se indica nada</translation>
    </message>
    <message>
        <source>How many processes share one image, where others have the next image of the batch (data_parallel); 0: all</source>
        <translation>Cuántos procesos comparten una imagen, mientras otros tienen la siguiente imagen del lote (data_parallel); 0: todos</translation>
    </message>
    <message>
        <source>Images pass one by one already.</source>
        <translation>Las imágenes pasan ya una a una.</translation>
    </message>
    <message>
        <source>Images shared among processes</source>
        <translation>Imágenes repartidas entre procesos</translation>
    </message>
    <message>
        <source>It computes its images in reverse, and would gather their statistics anew.</source>
        <translation>Calcula sus imágenes en sentido inverso y volvería a reunir sus estadísticas.</translation>
    </message>
    <message>
        <source>It computes the network in a way of its own, which knows whole images alone. Use bands.</source>
        <translation>Calcula la red a su manera, que solo conoce imágenes enteras. Use bandas.</translation>
    </message>
    <message>
        <source>It finds its images backwards from the last one, which has to be exact.</source>
        <translation>Calcula sus imágenes hacia atrás a partir de la última, que tiene que ser exacta.</translation>
    </message>
    <message>
        <source>It finds the statistics of one process&apos;s images alone.</source>
        <translation>Halla las estadísticas de las imágenes de un solo proceso.</translation>
    </message>
    <message>
        <source>It keeps weights for backward, too, which PyTorch takes away until then. Use data_parallel with zero:level=3.</source>
        <translation>También guarda pesos para el paso atrás, que PyTorch quita hasta entonces. Use data_parallel con zero:level=3.</translation>
    </message>
    <message>
        <source>It looks at whole weights, and each process has pieces of them. Use data_parallel with zero:level=3.</source>
        <translation>Mira pesos enteros, y cada proceso tiene trozos de ellos. Use data_parallel con zero:level=3.</translation>
    </message>
    <message>
        <source>It makes several backwards of one, and PyTorch counts one. Use data_parallel.</source>
        <translation>Hace varias pasadas hacia atrás de una, y PyTorch cuenta una. Use data_parallel.</translation>
    </message>
    <message>
        <source>Keeps only what is expensive to compute and makes the rest again when it is needed: about half the memory, hardly slower on a processor, up to three times as slow on a card.</source>
        <translation>Guarda solo lo que es costoso de calcular y rehace el resto cuando hace falta: la mitad de la memoria, más o menos; apenas más lento en un procesador, hasta tres veces más lento en una tarjeta.</translation>
    </message>
    <message>
        <source>Learning rate for the batch</source>
        <translation>Tasa de aprendizaje según el lote</translation>
    </message>
    <message>
        <source>Learns from a whole batch while only a few of its images are in memory at once.</source>
        <translation>Aprende de un lote entero con solo unas pocas de sus imágenes en memoria a la vez.</translation>
    </message>
    <message>
        <source>Lets a compiler fit the network to this machine: minutes of waiting at the start, then faster steps.</source>
        <translation>Deja que un compilador adapte la red a este equipo: minutos de espera al principio, después pasos más rápidos.</translation>
    </message>
    <message>
        <source>Loss in bands</source>
        <translation>Pérdida por franjas</translation>
    </message>
    <message>
        <source>MiB of a tensor; smaller ones stay on the card</source>
        <translation>MiB de un tensor; los menores permanecen en la tarjeta</translation>
    </message>
    <message>
        <source>MiB of each moment that are on the device at once.</source>
        <translation>MiB de cada momento que están en el dispositivo a la vez.</translation>
    </message>
    <message>
        <source>MomentumNet</source>
        <translation>MomentumNet</translation>
    </message>
    <message>
        <source>Moves the intermediate images to the computer&apos;s own memory until they are needed again; results stay equal.</source>
        <translation>Traslada las imágenes intermedias a la memoria del propio equipo hasta que vuelven a hacer falta; los resultados son iguales.</translation>
    </message>
    <message>
        <source>Numbers of 16 or 8 bits, the largest numbers alone, or matrices of a low rank</source>
        <translation>Números de 16 u 8 bits, solo los números más grandes, o matrices de rango bajo</translation>
    </message>
    <message>
        <source>Of all numbers, those that topk sends.</source>
        <translation>De todos los números, los que envía topk.</translation>
    </message>
    <message>
        <source>One image shared among processes</source>
        <translation>Una imagen repartida entre procesos</translation>
    </message>
    <message>
        <source>Optimizer in eight bits</source>
        <translation>Optimizador en ocho bits</translation>
    </message>
    <message>
        <source>Optimizer in four bits</source>
        <translation>Optimizador en cuatro bits</translation>
    </message>
    <message>
        <source>Optimizer in the computer&apos;s memory</source>
        <translation>Optimizador en memoria del equipo</translation>
    </message>
    <message>
        <source>Optimizer shared among processes</source>
        <translation>Optimizador repartido entre procesos</translation>
    </message>
    <message>
        <source>Parts of the network on several processes</source>
        <translation>Partes de la red en varios procesos</translation>
    </message>
    <message>
        <source>Processes send each other less about every correction, where the network between them is slow.</source>
        <translation>Los procesos se envían menos sobre cada corrección, donde la red entre ellos es lenta.</translation>
    </message>
    <message>
        <source>Processes that share an image meet at every BatchNorm, and nowhere a second time. Use bands.</source>
        <translation>Los procesos que comparten una imagen se encuentran en cada BatchNorm, y en ninguna parte una segunda vez. Use bandas.</translation>
    </message>
    <message>
        <source>PyTorch brings the weights of a stage when its module is called, and this runs stages in another way. Use data_parallel with zero:level=3.</source>
        <translation>PyTorch trae los pesos de una etapa cuando se llama a su módulo, y esto ejecuta las etapas de otro modo. Use data_parallel con zero:level=3.</translation>
    </message>
    <message>
        <source>PyTorch cuts weights of the contiguous layout alone.</source>
        <translation>PyTorch solo corta pesos de disposición contigua.</translation>
    </message>
    <message>
        <source>PyTorch sums gradients after every few images, and would sum again what it has summed. Use data_parallel.</source>
        <translation>PyTorch suma los gradientes tras cada pocas imágenes, y volvería a sumar lo ya sumado. Use data_parallel.</translation>
    </message>
    <message>
        <source>PyTorch sums gradients when updates inside backward have used them: without an error each process would train a network of its own. Use data_parallel.</source>
        <translation>PyTorch suma los gradientes cuando las actualizaciones dentro de la pasada hacia atrás ya los usaron: sin ningún error, cada proceso entrenaría una red propia. Use data_parallel.</translation>
    </message>
    <message>
        <source>PyTorch sums the gradients itself. Use data_parallel.</source>
        <translation>PyTorch suma los gradientes por sí mismo. Use data_parallel.</translation>
    </message>
    <message>
        <source>PyTorch tells of no gradient before those of its stage are summed. Use data_parallel with zero:level=3.</source>
        <translation>PyTorch no avisa de ningún gradiente antes de que estén sumados los de su etapa. Use data_parallel con zero:level=3.</translation>
    </message>
    <message>
        <source>PyTorch updates all weights at once, when backward is over.</source>
        <translation>PyTorch actualiza todos los pesos a la vez, cuando acaba la pasada hacia atrás.</translation>
    </message>
    <message>
        <source>PyTorch&apos;s data parallel</source>
        <translation>Datos en paralelo de PyTorch</translation>
    </message>
    <message>
        <source>PyTorch&apos;s divided optimizer</source>
        <translation>Optimizador dividido de PyTorch</translation>
    </message>
    <message>
        <source>PyTorch&apos;s fully sharded network</source>
        <translation>Red de PyTorch repartida por completo</translation>
    </message>
    <message>
        <source>Quantization-aware training</source>
        <translation>Entrenamiento para cuantización</translation>
    </message>
    <message>
        <source>Raises the learning rate with the number of images that are learned from at once, and does so gradually.</source>
        <translation>Aumenta la tasa de aprendizaje con el número de imágenes de las que se aprende a la vez, y lo hace gradualmente.</translation>
    </message>
    <message>
        <source>Ranges are found by the process that has a part, and the 8-bit model needs all of them.</source>
        <translation>Los intervalos los halla el proceso que tiene una parte, y el modelo de 8 bits los necesita todos.</translation>
    </message>
    <message>
        <source>Recompute the cheap steps</source>
        <translation>Recalcular los pasos baratos</translation>
    </message>
    <message>
        <source>Recomputing brings its own convolutions, which know nothing of eight-bit weights.</source>
        <translation>El recálculo trae sus propias convoluciones, que no conocen los pesos de ocho bits.</translation>
    </message>
    <message>
        <source>Remembers the intermediate images with 8 or 4 bits instead of 32; the training becomes a little noisier.</source>
        <translation>Recuerda las imágenes intermedias con 8 o 4 bits en lugar de 32; el entrenamiento se vuelve un poco más ruidoso.</translation>
    </message>
    <message>
        <source>Rows in one band of the blocks before the last two</source>
        <translation>Filas en una banda de los bloques anteriores a los dos últimos</translation>
    </message>
    <message>
        <source>Rows in one band of the decoder block before the last</source>
        <translation>Filas por franja del penúltimo bloque del decodificador</translation>
    </message>
    <message>
        <source>Rows of the image in one band</source>
        <translation>Filas de la imagen por franja</translation>
    </message>
    <message>
        <source>Rows of the image in one band: fewer take less memory and more time</source>
        <translation>Filas de la imagen en una banda: menos filas ocupan menos memoria y más tiempo</translation>
    </message>
    <message>
        <source>Rows of the image that are computed at once; 0: what is fast.</source>
        <translation>Filas de la imagen que se calculan a la vez; 0: lo más rápido.</translation>
    </message>
    <message>
        <source>Several processes learn together as PyTorch does it by itself: the same, in more memory.</source>
        <translation>Varios procesos aprenden juntos como lo hace PyTorch por sí mismo: lo mismo, con más memoria.</translation>
    </message>
    <message>
        <source>Several processes learn together: each takes some images of a batch, on a card of its own where it can.</source>
        <translation>Varios procesos aprenden juntos: cada uno toma algunas imágenes de un lote, en una tarjeta propia si la hay.</translation>
    </message>
    <message>
        <source>Several processes work on the same image, each on some of its rows, on a card of its own where it can: an image that fits on no card fits on several.</source>
        <translation>Varios procesos trabajan en la misma imagen, cada uno en algunas de sus filas, en una tarjeta propia si puede: una imagen que no cabe en ninguna tarjeta cabe en varias.</translation>
    </message>
    <message>
        <source>Share of the maps that may be kept for backward; the others are computed again.</source>
        <translation>Parte de los mapas que se puede guardar para el camino de vuelta; los demás se vuelven a calcular.</translation>
    </message>
    <message>
        <source>Shortens a correction that is too large, so that a single unusual image cannot undo what was learned.</source>
        <translation>Acorta las correcciones demasiado grandes, para que una sola imagen inusual no deshaga lo aprendido.</translation>
    </message>
    <message>
        <source>Shorter numbers</source>
        <translation>Números más cortos</translation>
    </message>
    <message>
        <source>Stages whose blocks are computed whole: less work</source>
        <translation>Etapas cuyos bloques se calculan enteros: menos trabajo</translation>
    </message>
    <message>
        <source>Stream the last two decoder blocks as one: less memory, much more time</source>
        <translation>Recorrer los dos últimos bloques del decodificador como uno: menos memoria, mucho más tiempo</translation>
    </message>
    <message>
        <source>The average is of all weights, and each process has those of its own parts alone.</source>
        <translation>La media es de todos los pesos, y cada proceso tiene solo los de sus propias partes.</translation>
    </message>
    <message>
        <source>The average is one more copy of all weights on every process. Choose level 1 or 2 of zero.</source>
        <translation>La media es una copia más de todos los pesos en cada proceso. Elija el nivel 1 o 2 de zero.</translation>
    </message>
    <message>
        <source>The compiler cannot see into the steps that are written by hand here.</source>
        <translation>El compilador no puede ver dentro de los pasos que aquí están escritos a mano.</translation>
    </message>
    <message>
        <source>The compiler cannot see into what processes say to one another.</source>
        <translation>El compilador no puede ver lo que los procesos se dicen entre sí.</translation>
    </message>
    <message>
        <source>The compiler decides itself what is kept for backward; its maps cannot be moved.</source>
        <translation>El compilador decide por sí mismo qué se guarda para el camino de vuelta; sus mapas no se pueden trasladar.</translation>
    </message>
    <message>
        <source>The compiler decides itself what is kept for backward; its maps cannot be packed.</source>
        <translation>El compilador decide por sí mismo qué se guarda para el camino de vuelta; sus mapas no se pueden comprimir.</translation>
    </message>
    <message>
        <source>The compiler would have to see PyTorch&apos;s own sums. Use data_parallel.</source>
        <translation>El compilador tendría que ver las sumas propias de PyTorch. Use data_parallel.</translation>
    </message>
    <message>
        <source>The compiler would have to see what processes tell one another.</source>
        <translation>El compilador tendría que ver lo que se dicen los procesos.</translation>
    </message>
    <message>
        <source>The encoder on the first half of the processes and the decoder on the others, or so that the fullest process is least full</source>
        <translation>El codificador en la primera mitad de los procesos y el decodificador en los demás, o de modo que el proceso más lleno lo esté lo menos posible</translation>
    </message>
    <message>
        <source>The last stage of each process but the last one, such as layer2+layer4; none: by the cut</source>
        <translation>La última etapa de cada proceso menos el último, como layer2+layer4; ninguna: según el corte</translation>
    </message>
    <message>
        <source>The norm of all corrections is known only when the last one is, and by then the others have been used.</source>
        <translation>La norma de todas las correcciones no se conoce hasta tener la última, y para entonces las demás ya se han aplicado.</translation>
    </message>
    <message>
        <source>The ranges that int8 rounds to are found for the weights as they are, not for their average.</source>
        <translation>Los intervalos a los que redondea int8 se determinan para los pesos tal como son, no para su promedio.</translation>
    </message>
    <message>
        <source>The scale of the loss is found of whole gradients. Use precision:format=bf16.</source>
        <translation>La escala de la pérdida se halla de gradientes enteros. Use precision:format=bf16.</translation>
    </message>
    <message>
        <source>There a gradient goes to its owner alone, tensor by tensor, and not in such a sum.</source>
        <translation>Allí un gradiente va solo a su dueño, tensor a tensor, y no en una suma así.</translation>
    </message>
    <message>
        <source>Trains a network that still works when it is later computed with small whole numbers; it saves no memory.</source>
        <translation>Entrena una red que sigue funcionando cuando después se calcula con números enteros pequeños; no ahorra memoria.</translation>
    </message>
    <message>
        <source>Update inside backward</source>
        <translation>Actualizar durante la vuelta</translation>
    </message>
    <message>
        <source>Uses each correction as soon as it is known and forgets it, instead of collecting all of them first.</source>
        <translation>Usa cada corrección en cuanto se conoce y la olvida, en lugar de reunirlas todas primero.</translation>
    </message>
    <message>
        <source>Uses the average of the network&apos;s last states as the model, which is steadier than the last state alone.</source>
        <translation>Utiliza como modelo el promedio de los últimos estados de la red, que es más estable que el último estado por sí solo.</translation>
    </message>
    <message>
        <source>What a process keeps of its own weights alone: 1 the optimizer&apos;s memory, 2 gradients too, 3 weights too</source>
        <translation>Lo que un proceso guarda solo de sus propios pesos: 1 la memoria del optimizador, 2 también los gradientes, 3 también los pesos</translation>
    </message>
    <message>
        <source>What is kept here is written over during training and must not be packed.</source>
        <translation>Lo que aquí se guarda se sobrescribe durante el entrenamiento y no se debe comprimir.</translation>
    </message>
    <message>
        <source>What is kept here is written over during training and must stay on the device.</source>
        <translation>Lo que aquí se guarda se sobrescribe durante el entrenamiento y debe permanecer en el dispositivo.</translation>
    </message>
    <message>
        <source>What waits for the way back is written over during training, so it stays as it is.</source>
        <translation>Lo que espera el camino de vuelta se sobrescribe durante el entrenamiento, así que queda como está.</translation>
    </message>
    <message>
        <source>Where maps wait</source>
        <translation>Dónde esperan los mapas</translation>
    </message>
    <message>
        <source>Which parts are computed twice</source>
        <translation>Qué partes se calculan dos veces</translation>
    </message>
    <message>
        <source>With fp16 a step is made again where its numbers grew too large, and an update that was made inside backward cannot be undone. Use bf16.</source>
        <translation>Con fp16, un paso se repite cuando sus números crecen demasiado, y una actualización hecha durante la vuelta no se puede deshacer. Use bf16.</translation>
    </message>
    <message>
        <source>With fp16 gradients grow and shrink with the scale of the loss, and what one step leaves over would be added to those of another scale. Use bf16.</source>
        <translation>Con fp16 los gradientes crecen y menguan con la escala de la pérdida, y lo que un paso deja pendiente se sumaría a los de otra escala. Use bf16.</translation>
    </message>
    <message>
        <source>Work in bands</source>
        <translation>Trabajar por franjas</translation>
    </message>
    <message>
        <source>Work in bands takes rows of several stages at once, and runs some stages a second time in another part.</source>
        <translation>El trabajo en bandas toma a la vez filas de varias etapas, y calcula algunas etapas por segunda vez en otra parte.</translation>
    </message>
    <message>
        <source>Work in bands throughout</source>
        <translation>Trabajar por franjas en todo</translation>
    </message>
    <message>
        <source>Working in bands recomputes the cheap steps already.</source>
        <translation>Trabajar por franjas ya recalcula los pasos baratos.</translation>
    </message>
    <message>
        <source>Works through every step in strips of the image, so that no large intermediate image ever exists whole: the least memory of all, with much more work. The plan says how much.</source>
        <translation>Recorre cada paso por franjas de la imagen, de modo que ninguna imagen intermedia grande existe nunca entera: la menor memoria de todas, con mucho más trabajo. El plan indica cuánto.</translation>
    </message>
    <message>
        <source>Works through the largest steps in strips of the image and keeps little of the others: native resolution in a fraction of the memory, with more work. The plan says how much.</source>
        <translation>Recorre los pasos más grandes por franjas de la imagen y guarda poco de los demás: la resolución original en una fracción de la memoria, con más trabajo. El plan indica cuánto.</translation>
    </message>
    <message>
        <source>bf16 for cards from 2020 on and CPUs with bf16 units; fp16 for older cards; tf32 saves time alone.</source>
        <translation>bf16 para tarjetas a partir de 2020 y CPU con unidades bf16; fp16 para tarjetas anteriores; tf32 solo ahorra tiempo.</translation>
    </message>
    <message>
        <source>bits of every value: 8 is hardly noticed, 4 takes half as much</source>
        <translation>bits de cada valor: 8 apenas se nota, 4 ocupa la mitad</translation>
    </message>
    <message>
        <source>both replace the encoder&apos;s layers.</source>
        <translation>ambas sustituyen las capas del codificador.</translation>
    </message>
    <message>
        <source>both take over the same tensors, and only one of them can have them.</source>
        <translation>ambas se hacen cargo de los mismos tensores, y solo una de ellas puede tenerlos.</translation>
    </message>
    <message>
        <source>by the number of images for LARS, by its square root for Adam and LAMB</source>
        <translation>según el número de imágenes para LARS, según su raíz cuadrada para Adam y LAMB</translation>
    </message>
    <message>
        <source>epochs over which the rate rises to its new value</source>
        <translation>épocas durante las cuales la tasa sube hasta su nuevo valor</translation>
    </message>
    <message>
        <source>every step of the network is rounded as it was exported, and none is left to be run twice.</source>
        <translation>cada paso de la red se redondea tal como se exportó, y no queda ninguno que ejecutar dos veces.</translation>
    </message>
    <message>
        <source>how much of its movement a block hands on to the next</source>
        <translation>cuánto de su movimiento pasa un bloque al siguiente</translation>
    </message>
    <message>
        <source>how much of the average is kept in each step; 0.999 looks back over 1,000 steps</source>
        <translation>qué parte del promedio se conserva en cada paso; 0,999 abarca unos 1.000 pasos</translation>
    </message>
    <message>
        <source>how much of the last movement is kept</source>
        <translation>qué parte del último movimiento se conserva</translation>
    </message>
    <message>
        <source>images of a batch for which the learning rate was chosen</source>
        <translation>imágenes del lote para el que se eligió la tasa de aprendizaje</translation>
    </message>
    <message>
        <source>inductor is fast; aot_eager compiles nothing and is for tests.</source>
        <translation>inductor es rápido; aot_eager no compila nada y sirve para pruebas.</translation>
    </message>
    <message>
        <source>rounding to 8 bits inside of 16-bit arithmetic does not train; in the paper it never finished.</source>
        <translation>redondear a 8 bits dentro de una aritmética de 16 bits no entrena; en el artículo nunca terminó.</translation>
    </message>
    <message>
        <source>tensors on their way at once: more is faster and takes as many more</source>
        <translation>tensores en camino a la vez: con más es más rápido, y ocupa otros tantos</translation>
    </message>
    <message>
        <source>the largest norm of all gradients together that is left as it is</source>
        <translation>la mayor norma del conjunto de los gradientes que se deja como está</translation>
    </message>
    <message>
        <source>the trust coefficient: how far a layer moves in a step, by its size</source>
        <translation>el coeficiente de confianza: cuánto se mueve una capa en un paso, en proporción a su magnitud</translation>
    </message>
    <message>
        <source>values that share a scale: fewer are more exact</source>
        <translation>valores que comparten una escala: con menos es más exacto</translation>
    </message>
    <message>
        <source>weight decay: how much weights are drawn to zero</source>
        <translation>decaimiento de los pesos: cuánto se atraen los pesos hacia cero</translation>
    </message>
</context>
<context>
    <name>texts</name>
    <message>
        <source>Not a medical device. Not for primary diagnosis.</source>
        <translation>No es un producto sanitario. No apta para el diagnóstico primario.</translation>
    </message>
    <message>
        <source>Fullfield {version} improves the contrast of radiographs at their native resolution. Originals are never changed; results are written as new files, in the folder that you choose.</source>
        <translation>Fullfield {version} mejora el contraste de las radiografías en su resolución original. Los originales nunca se modifican; los resultados se escriben como archivos nuevos, en la carpeta que usted elija.</translation>
    </message>
</context>
<context>
    <name>theme</name>
    <message>
        <source>Reading room</source>
        <translation>Sala de lectura</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Oscuro</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Claro</translation>
    </message>
</context>
<context>
    <name>where</name>
    <message>
        <source>{count} processes</source>
        <translation>{count} procesos</translation>
    </message>
    <message>
        <source>{count} cards</source>
        <translation>{count} tarjetas</translation>
    </message>
    <message>
        <source>{what} over {devices}: {takes}; {travels}.</source>
        <translation>{what} entre {devices}: {takes}; {travels}.</translation>
    </message>
    <message>
        <source>Together they do not pay here.</source>
        <translation>Juntos no compensan aquí.</translation>
    </message>
    <message>
        <source>More of them do not pay here.</source>
        <translation>Usar más no compensa aquí.</translation>
    </message>
    <message>
        <source>The link is the limit: compressed gradients, which are not exact, may help.</source>
        <translation>La conexión es el límite: los gradientes comprimidos, que no son exactos, pueden ayudar.</translation>
    </message>
    <message>
        <source>a card and the processor</source>
        <translation>una tarjeta y el procesador</translation>
    </message>
    <message>
        <source>{count} cards and the processor</source>
        <translation>{count} tarjetas y el procesador</translation>
    </message>
    <message>
        <source>about {time} an epoch</source>
        <translation>unos {time} por época</translation>
    </message>
    <message>
        <source>the link between them is taken to carry {rate} MB/s</source>
        <translation>se supone que el enlace entre ellas transporta {rate} MB/s</translation>
    </message>
    <message>
        <source>the link between them carries {rate} MB/s, measured</source>
        <translation>el enlace entre ellas transporta {rate} MB/s, medido</translation>
    </message>
    <message>
        <source>On {machines}: {takes}; {carries}.</source>
        <translation>En {machines}: {takes}; {carries}.</translation>
    </message>
    <message>
        <source>No plan for {count} of them fits.</source>
        <translation>Ningún plan para {count} de ellas cabe.</translation>
    </message>
    <message>
        <source>{count} of them, by those with least memory, take {times} × as long as all.</source>
        <translation>{count} de ellas, contando con las de menos memoria, tardan {times} × lo que todas.</translation>
    </message>
    <message>
        <source>{takes} of {free} free</source>
        <translation>{takes} de {free} libres</translation>
    </message>
    <message>
        <source>{takes} of {free} free on {machine}</source>
        <translation>{takes} de {free} libres en {machine}</translation>
    </message>
    <message>
        <source>{what} each</source>
        <translation>{what} cada una</translation>
    </message>
    <message>
        <source>{machines} and {last}</source>
        <translation>{machines} y {last}</translation>
    </message>
    <message>
        <source>More machines do not pay here: {share} of a step is waiting for the link.</source>
        <translation>Más máquinas no compensan aquí: {share} de cada paso es espera al enlace.</translation>
    </message>
    <message>
        <source>More machines do not pay here: what all of them do again takes longer than it saves.</source>
        <translation>Más máquinas no compensan aquí: lo que todas repiten tarda más de lo que ahorra.</translation>
    </message>
    <message>
        <source>One image of {size}</source>
        <translation>Una imagen de {size}</translation>
    </message>
    <message>
        <source>Each image of {size}</source>
        <translation>Cada imagen de {size}</translation>
    </message>
    <message>
        <source>The network in parts</source>
        <translation>La red en partes</translation>
    </message>
    <message>
        <source>{count} images of {size}</source>
        <translation>{count} imágenes de {size}</translation>
    </message>
    <message>
        <source>{amount} each</source>
        <translation>{amount} cada uno</translation>
    </message>
    <message>
        <source>{least} to {most} each</source>
        <translation>de {least} a {most} cada uno</translation>
    </message>
    <message>
        <source>which one alone does not hold</source>
        <translation>lo que uno solo no puede contener</translation>
    </message>
    <message>
        <source>no faster than one</source>
        <translation>no más rápido que uno solo</translation>
    </message>
    <message>
        <source>about {times}&#xa0;× as fast as one</source>
        <translation>unas {times}&#xa0;veces más rápido que uno solo</translation>
    </message>
    <message>
        <source>{amount} travel per step ({waits} {link})</source>
        <translation>{amount} viajan en cada paso ({waits} {link})</translation>
    </message>
    <message>
        <source>{amount} travel per step ({waits} of {step} {link})</source>
        <translation>{amount} viajan en cada paso ({waits} de {step} {link})</translation>
    </message>
    <message>
        <source>over a link that was measured</source>
        <translation>por una conexión que se ha medido</translation>
    </message>
    <message>
        <source>over the link that was given</source>
        <translation>por la conexión indicada</translation>
    </message>
    <message>
        <source>over a link that is estimated</source>
        <translation>por una conexión estimada</translation>
    </message>
    <message>
        <source>{count} ms</source>
        <translation>{count} ms</translation>
    </message>
    <message>
        <source>{count} s</source>
        <translation>{count} s</translation>
    </message>
</context>
</TS>
